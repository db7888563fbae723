"""What repairs the findings of a fleet: the plan of ``lintmdb plan`` as tables, waves and scripts of an audit."""
