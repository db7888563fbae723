"""Random estates in the products' own formats, for laws that hold for every estate.

``build_estate(seed)`` gives the same files for the same seed. Most of an estate is in order; each choice has a weight
for what goes wrong in practice, so that a few hundred estates meet every kind of reference that a rule must judge.
"""
