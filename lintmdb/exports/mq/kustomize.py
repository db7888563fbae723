"""Kustomizations: what patches, generators and prefixes make of the manifests that they list.

Strategic merges and JSON patches are applied where the files decide them, so that every value keeps its place, which
may be in a patch. Of a kustomization with components, replacements, plug-ins or bases that are elsewhere only kustomize
knows the outcome: what it may change is unknown. Source: Kubernetes "Declarative Management of Kubernetes Objects Using
Kustomize".
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from lintmdb.errors import UnreadableError
from lintmdb.exports.mq.commands import Kept, MqscFile
from lintmdb.exports.mq.decoding import decode
from lintmdb.exports.mq.embedded import doubt
from lintmdb.exports.mq.env_files import EnvEntry, read_env_file
from lintmdb.exports.mq.kubernetes import GENERATORS, literal_script, literals_of, scripts_of, value_script
from lintmdb.exports.mq.kustomized_files import KUSTOMIZATIONS, mentions_mq
from lintmdb.exports.mq.yaml_nodes import Mapped, Node, Scalar, Sequenced, YamlError, documents, first_scalar
from lintmdb.exports.mq.yaml_patches import Undecided, inner_roots, matches, merged, patched
from lintmdb.model.relations import Problem

_PATCHES = ("patches", "patchesStrategicMerge", "patchesJson6902")
_REKUSTOMIZATIONS = ("namePrefix", "nameSuffix")
_FOLLOWING = "configurations"
"""What may tell kustomize that references of other resources than its own follow a new name (nameReference)."""
_UNDECIDED = ("components", "replacements", "vars", "transformers", "generators", "helmCharts")
"""What only kustomize can work out."""
_MERGING = ("merge", "replace")
"""What a generator does with an object that is there."""
_MANIFESTS = (".yaml", ".yml", ".json")
_MOST_OBJECTS = 10_000
_Source = str | Scalar | EnvEntry
"""A file, a literal (``KEY=VALUE``), or a line of a file of ``envs``."""
Texts = Mapping[str, Callable[[], bytes]]
"""Functions that read the files that may be part of a kustomization, by path."""


@dataclass(frozen=True, slots=True)
class _Object:
    """One object, as the kustomizations below have left it."""

    root: Mapped
    path: str
    names: tuple[str, ...]
    """The name that it had at first, and those that prefixes and suffixes gave it."""
    made: Mapping[str, _Source] = field(default_factory=dict[str, "_Source"])
    """Keys that generators make, with what they are made of."""

    @property
    def kind(self) -> str:
        return self.root.text("kind")

    @property
    def identity(self) -> tuple[str, ...]:
        root = self.root
        return self.kind, self.names[-1], root.text("apiVersion"), root.text("metadata", "namespace")


@dataclass(slots=True)
class _Kustomization:
    path: str
    root: Mapped
    below: list[str]
    """The kustomizations that it lists."""

    @property
    def folder(self) -> str:
        return self.path.rpartition("/")[0]

    def place(self, name: str) -> str:
        """The path of a file or folder that it names."""
        return posixpath.normpath(posixpath.join(self.folder, name))

    def change(self) -> tuple[str, Scalar] | None:
        """What first changes objects of other files, in words, and its place; None where nothing does."""
        found = [(word, self.root.get(word)) for word in (*_PATCHES, *_UNDECIDED, *_REKUSTOMIZATIONS)]
        for _, word in GENERATORS:
            found += [
                (f"a {word} {generator.text('name')} with behavior: {generator.text('behavior')}", behavior)
                for generator in self.root.mappings(word)
                if generator.text("behavior") in _MERGING and (behavior := generator.get("behavior")) is not None
            ]
        return next(((words, place) for words, node in found if (place := first_scalar(node)) is not None), None)


def apply_kustomizations(scripts: Sequence[MqscFile], texts: Texts) -> tuple[list[MqscFile], list[Problem]]:
    """The scripts of manifests and other files with those that kustomizations change as these make them, and a problem
    for each kustomization that is not applied.
    """
    found = _Reader(texts).kustomizations()
    result, problems = [*scripts, *_env_scripts(found, texts)], list[Problem]()
    if not any(entry.change() is not None for entry in found.values()):
        return result, problems
    used: set[str] = set()
    builds: list[tuple[_Build, list[MqscFile]]] = []
    for path in _outermost(found):
        build = _Build(found, texts)
        try:
            outcome = list(build.scripts(path))
        except Undecided as undecided:
            reached = _reached(found, path)
            changing = [found[entry] for entry in sorted(reached & found.keys()) if found[entry].change() is not None]
            touched = [script for script in result if script.path in reached] if changing else []
            for script in touched:
                doubt(script)
            used.update(place for entry in changing for place in _patch_files(entry))
            used.update(place for entry in changing if touched for place in _merged_files(entry))
            without_base = list(_without_base(found, path, texts))
            problems += without_base
            if touched and not without_base:
                problems += _not_applied(changing, undecided)
        else:
            builds.append((build, outcome))
    used.update(*(build.used for build, _ in builds if build.changes))
    # Another overlay of the same base is another version of its objects, even where it changes nothing.
    made = [script for build, outcome in builds if not used.isdisjoint(build.used) for script in outcome]
    used.update(*(build.used for build, _ in builds if not used.isdisjoint(build.used)))
    left = {script.elsewhere for _, outcome in builds for script in outcome}
    used.update(*(build.generated - left for build, _ in builds))
    return [script for script in result if script.path not in used] + made, problems


def _outermost(found: Mapping[str, _Kustomization]) -> list[str]:
    """The kustomizations that no other one lists, and one of each circle."""
    outermost = sorted(found.keys() - {below for entry in found.values() for below in entry.below})
    reached = {path for outer in outermost for path in _reached(found, outer)}
    for path in sorted(found):
        if path not in reached:
            outermost.append(path)
            reached |= _reached(found, path)
    return outermost


def _reached(found: Mapping[str, _Kustomization], path: str) -> set[str]:
    """The kustomizations, manifests and other files that one is made of."""
    reached: set[str] = set()
    pending = [path]
    while pending:
        entry = found[pending.pop()]
        if entry.path not in reached:
            pending += entry.below
            reached.add(entry.path)
            reached.update(entry.place(item) for item in _resources(entry.root))
            generators = [generator for _, word in GENERATORS for generator in entry.root.mappings(word)]
            files = [item.value for each in generators for item in each.items("files") if isinstance(item, Scalar)]
            reached.update(entry.place(file.rpartition("=")[2]) for file in files)
            reached.update(entry.place(env.value) for each in generators for env in _envs(each))
    return reached


def _patch_files(entry: _Kustomization) -> Iterator[str]:
    """The files of patches that a kustomization names: none of them is a manifest by itself."""
    for word in _PATCHES:
        for item in entry.root.items(word):
            name = item.get("path") if isinstance(item, Mapped) else item
            if isinstance(name, Scalar) and "\n" not in name.value:
                yield entry.place(name.value)


def _merged_files(entry: _Kustomization) -> Iterator[str]:
    """The files whose scripts a kustomization puts into objects of others; none is a queue manager by itself."""
    for _, word in GENERATORS:
        for generator in entry.root.mappings(word):
            if generator.text("behavior") in _MERGING:
                yield from _generator_files(entry, generator).values()


def _not_applied(kustomizations: Iterable[_Kustomization], undecided: Undecided) -> Iterator[Problem]:
    for entry in kustomizations:
        change = entry.change()
        if change is not None:
            words, place = change
            if undecided.path == entry.path:
                words, place = undecided.words, undecided.place or place
            yield Problem(
                kind="not_read",
                path=entry.path,
                line=place.line,
                column=place.column,
                text=f"has {words}, which lintmdb does not apply, so the values in what it changes are unknown",
                next_step="Provide what kubectl kustomize prints",
            )


def _without_base(found: Mapping[str, _Kustomization], path: str, texts: Texts) -> Iterator[Problem]:
    """The folders that a kustomization about queue managers is made of and that were not read with it."""
    parts = [found[each] for each in sorted(_reached(found, path) & found.keys())]
    files = [each for entry in parts for each in (entry.path, *_patch_files(entry)) if each in texts]
    if not any(mentions_mq(texts[each]()) for each in files):
        return
    for entry in parts:
        below = {posixpath.dirname(each) or "." for each in entry.below}
        for item in (item for word in ("resources", "bases") for item in entry.root.items(word)):
            if (
                isinstance(item, Scalar)
                and not item.value.endswith(_MANIFESTS)
                and entry.place(item.value) not in below
            ):
                yield Problem(
                    kind="not_read",
                    path=entry.path,
                    line=item.line,
                    column=item.column,
                    text=f"is made of {item.value}, which was not read in the same environment: provide what kubectl "
                    f"kustomize {entry.folder or '.'} prints, or that folder, too, in this environment alone",
                    object=entry.place(item.value),
                )


class _Reader:
    """Reads the YAML of files, and which of them are kustomizations."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts

    def kustomizations(self) -> dict[str, _Kustomization]:
        """The kustomizations among the files, by path."""
        found: dict[str, _Kustomization] = {}
        for path in self._texts:
            if path.rpartition("/")[2] in KUSTOMIZATIONS:
                try:
                    root = next(iter(self.roots(path)), None)
                except Undecided:
                    continue
                if isinstance(root, Mapped):
                    found[path] = _Kustomization(path, root, [])
        for entry in found.values():
            for item in _resources(entry.root):
                places = (posixpath.normpath(f"{entry.place(item)}/{name}") for name in KUSTOMIZATIONS)
                entry.below += [place for place in places if place in found]
        return found

    def roots(self, path: str) -> list[Node]:
        """The documents of a file. Raises Undecided for one that cannot be read."""
        try:
            text = decode(self._texts[path](), path)
            return [root for document in documents(text, path) if (root := document.root()) is not None]
        except (KeyError, UnreadableError, YamlError) as error:
            raise Undecided from error


def _resources(root: Mapped) -> list[str]:
    return [item.value for word in ("resources", "bases") for item in root.items(word) if isinstance(item, Scalar)]


class _Build:
    """What one kustomization and those below it make."""

    def __init__(self, found: Mapping[str, _Kustomization], texts: Texts) -> None:
        self._found = found
        self._texts = texts
        self._reader = _Reader(texts)
        self._built: dict[str, list[_Object]] = {}
        self._open: set[str] = set()
        self.used: set[str] = set()
        """The files that it is made of."""
        self.generated: set[str] = set()
        """The files that generators have read, among them those whose place other files or patches have taken."""
        self.changes = False

    def scripts(self, path: str) -> Iterator[MqscFile]:
        """The scripts of the objects that a kustomization makes, and the queue managers that ask for them. Raises
        Undecided.
        """
        objects = self._objects(path)
        originals = {(entry.kind, name): entry.names[0] for entry in objects for name in entry.names}
        renamed = _left_behind(() if self._follow(path) else objects)
        kept = [(entry.kind, entry.names[0]) for entry in objects if entry.kind in ("ConfigMap", "Secret")]
        if len(set(kept)) < len(kept):
            raise Undecided
        for entry in objects:
            for script in (*scripts_of(entry.root, entry.path), *_made_scripts(entry)):
                script.home = path
                if script.kept is not None:
                    script.kept = script.kept._replace(name=entry.names[0])
                if script.asked is not None:
                    script.asked = tuple(
                        asked._replace(
                            name=originals.get((asked.kind, asked.name), asked.name),
                            renamed=renamed.get((asked.kind, asked.name), "") if entry.kind == "QueueManager" else "",
                        )
                        for asked in script.asked
                    )
                yield script

    def _follow(self, path: str) -> bool:
        """Whether a kustomization, or one below it, may tell which references follow a new name."""
        parts = (self._found[each] for each in _reached(self._found, path) & self._found.keys())
        return any(entry.root.get(_FOLLOWING) is not None for entry in parts)

    def _objects(self, path: str) -> list[_Object]:
        if path in self._built:
            return self._built[path]
        entry = self._found[path]
        self.used.add(path)
        if path in self._open:
            raise Undecided
        self._open.add(path)
        objects = self._listed(entry)
        self.changes = self.changes or entry.change() is not None
        for word in _UNDECIDED:
            if entry.root.get(word) is not None:
                raise Undecided(word, entry.path)
        objects = self._with_generated(entry, objects)
        for patch in self._patches(entry):
            objects = patch(objects)
        objects = [_renamed(each, entry.root.text("namePrefix"), entry.root.text("nameSuffix")) for each in objects]
        if len(objects) > _MOST_OBJECTS or len({each.identity for each in objects}) < len(objects):
            raise Undecided
        self._open.remove(path)
        self._built[path] = objects
        return objects

    def _listed(self, entry: _Kustomization) -> list[_Object]:
        """The objects of the files and kustomizations that one lists. All of them count as used before any fails."""
        places = [entry.place(item) for item in _resources(entry.root)]
        self.used.update(place for place in places if place in self._texts)
        objects: list[_Object] = []
        missing = False
        for item, place in zip(_resources(entry.root), places, strict=True):
            below = next((path for path in entry.below if (posixpath.dirname(path) or ".") == place), None)
            if below is not None:
                objects += self._objects(below)
            elif place in self._texts:
                objects += [
                    _Object(root, place, (root.text("metadata", "name"),))
                    for whole in self._reader.roots(place)
                    if isinstance(whole, Mapped)
                    for root in (whole.mappings("items") if whole.text("kind").endswith("List") else [whole])
                ]
            # A manifest that is not about MQ is not among the files.
            missing = missing or (below is None and not item.endswith(_MANIFESTS)) or "://" in item
        if missing:
            raise Undecided
        return objects

    def _with_generated(self, entry: _Kustomization, objects: list[_Object]) -> list[_Object]:
        for kind, word in GENERATORS:
            for generator in entry.root.mappings(word):
                lines = self._env_entries(entry, kind, generator)
                objects = _generated(entry, kind, generator, objects, lines)
        self.generated.update(file for each in objects for file in each.made.values() if isinstance(file, str))
        return objects

    def _env_entries(self, entry: _Kustomization, kind: str, generator: Mapped) -> dict[str, _Source]:
        """The lines of the files of a generator's ``envs``, by key. Raises Undecided for a file that was not read."""
        made: dict[str, _Source] = {}
        for env in _envs(generator):
            place = entry.place(env.value)
            self.used.add(place)
            lines = _env_lines(self._texts, place)
            if lines is None:
                what = f"a generator of {kind} {generator.text('name')} with {env.value}, which was not read"
                raise Undecided(what, entry.path, env)
            made.update((line.key, line) for line in lines)
        return made

    def _patches(self, entry: _Kustomization) -> Iterator[Callable[[list[_Object]], list[_Object]]]:
        for item in entry.root.items("patchesStrategicMerge"):
            if not isinstance(item, Scalar):
                raise Undecided
            inline = "\n" in item.value or ": " in item.value
            for root in inner_roots(item, entry.path) if inline else self._patch_file(entry, item):
                yield lambda objects, root=root: _patch(objects, root, None)
        for word in ("patchesJson6902", "patches"):
            for item in entry.root.mappings(word):
                target, inline, file = item.get("target"), item.get("patch"), item.get("path")
                if item.get("options") is not None or (target is not None and not isinstance(target, Mapped)):
                    raise Undecided
                if isinstance(inline, Scalar):
                    roots = inner_roots(inline, entry.path)
                elif isinstance(file, Scalar):
                    roots = self._patch_file(entry, file)
                else:
                    raise Undecided
                for root in roots:
                    yield lambda objects, root=root, target=target: _patch(objects, root, target)

    def _patch_file(self, entry: _Kustomization, name: Scalar) -> list[Node]:
        place = entry.place(name.value)
        self.used.add(place)
        return self._reader.roots(place)


def _patch(objects: list[_Object], patch: Node, target: Mapped | None) -> list[_Object]:
    """Objects with one patch applied to those that it is about. Raises Undecided."""
    if target is None and not isinstance(patch, Mapped):
        raise Undecided
    about = [entry for entry in objects if _is_target(entry, patch, target)]
    if target is None and not about:
        raise Undecided  # kustomize refuses it
    result: list[_Object] = []
    for entry in objects:
        if entry not in about:
            result.append(entry)
            continue
        root = patched(entry.root, patch) if isinstance(patch, Sequenced) else merged(entry.root, patch)
        if isinstance(root, Mapped):
            told = {key for key, _ in root.scalars("data")}
            made = {key: source for key, source in entry.made.items() if key not in told}
            result.append(replace(entry, root=root, made=made))
        elif root is not None:
            raise Undecided
    return result


def _is_target(entry: _Object, patch: Node, target: Mapped | None) -> bool:
    root = entry.root
    if target is None:
        own = isinstance(patch, Mapped) and patch.text("metadata", "name") in entry.names
        return own and isinstance(patch, Mapped) and patch.text("kind") == root.text("kind")
    group, _, version = root.text("apiVersion").rpartition("/")
    values = {
        "kind": (root.text("kind"),), "name": entry.names, "namespace": (root.text("metadata", "namespace"),),
        "group": (group,), "version": (version,),
    }  # fmt: skip
    return all(any(matches(node, value) for value in values.get(word, ())) for word, node in _selectors(target, values))


def _selectors(target: Mapped, known: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    for word, node in target.entries:
        if word not in known or not isinstance(node, Scalar):
            raise Undecided  # by labels or annotations
        if node.value:
            yield word, node.value


def _env_scripts(found: Mapping[str, _Kustomization], texts: Texts) -> Iterator[MqscFile]:
    """The scripts in the files of ``envs`` from which generators create objects."""
    for path, entry in found.items():
        for kind, word in GENERATORS:
            for generator in entry.root.mappings(word):
                if generator.text("behavior") in _MERGING:
                    continue
                for env in _envs(generator):
                    place, name = entry.place(env.value), generator.text("name")
                    lines = _env_lines(texts, place)
                    if lines is None:
                        kept = Kept(kind, "", name, "")
                        yield MqscFile(path, embedded=True, kept=kept, elsewhere=place)
                    for line in lines or ():
                        script = _line_script(line, kind, name)
                        if script is not None:
                            script.home = path
                            yield script


def _env_lines(texts: Texts, path: str) -> list[EnvEntry] | None:
    """The lines of a file of ``envs``; None for one that is not there or is not text."""
    try:
        return list(read_env_file(texts[path](), path))
    except (KeyError, UnreadableError):
        return None


def _line_script(line: EnvEntry, kind: str, name: str) -> MqscFile | None:
    kept = Kept(kind, "", name, line.key)
    if line.value is None:
        is_script = line.key.endswith(".mqsc")
        return MqscFile(line.path, embedded=True, kept=kept, elsewhere=f"{line.path}#{line.key}") if is_script else None
    return value_script(line.value, kept, line.path)


def _envs(generator: Mapped) -> list[Scalar]:
    """The names of files whose lines are keys of a generator's object."""
    named = [*generator.items("envs"), generator.get("env")]
    return [item for item in named if isinstance(item, Scalar) and not item.is_null]


def _generated(
    entry: _Kustomization, kind: str, generator: Mapped, objects: list[_Object], lines: Mapping[str, _Source]
) -> list[_Object]:
    """Objects with the one that a generator makes, or with what it adds to one of them."""
    name, behavior = generator.text("name"), generator.text("behavior") or "create"
    made = {**_generator_files(entry, generator), **literals_of(generator), **lines}
    if behavior == "create":
        metadata = Mapped([("name", Scalar.of(name, generator))])
        return [
            *objects,
            _Object(Mapped([("kind", Scalar.of(kind)), ("metadata", metadata)]), entry.path, (name,), made),
        ]
    about = [each for each in objects if each.kind == kind and name in each.names]
    if len(about) != 1:
        how_many = "several of which are here" if about else "which no file here has"
        raise Undecided(f"a generator with behavior: {behavior} for {kind} {name}, {how_many}", entry.path)
    return [_with_made(each, made, behavior) if each is about[0] else each for each in objects]


def _generator_files(entry: _Kustomization, generator: Mapped) -> dict[str, str]:
    """The files of a generator's object, by key."""
    files: dict[str, str] = {}
    for item in generator.items("files"):
        if isinstance(item, Scalar):
            key, equals, file = item.value.partition("=")
            file = file if equals else key
            files[key if equals else key.rpartition("/")[2]] = entry.place(file)
    return files


def _with_made(entry: _Object, made: Mapping[str, _Source], behavior: str) -> _Object:
    kept = [
        (word, Mapped([pair for pair in node.entries if behavior == "merge" and pair[0] not in made]))
        if word in ("data", "binaryData", "stringData") and isinstance(node, Mapped)
        else (word, node)
        for word, node in entry.root.entries
    ]
    return replace(entry, root=Mapped(kept), made={**(entry.made if behavior == "merge" else {}), **made})


def _made_scripts(entry: _Object) -> Iterator[MqscFile]:
    for key, source in sorted(entry.made.items()):
        if isinstance(source, str):
            kept = Kept(entry.kind, "", entry.names[0], key)
            yield MqscFile(entry.path, embedded=True, kept=kept, elsewhere=source)
            continue
        if isinstance(source, EnvEntry):
            script = _line_script(source, entry.kind, entry.names[0])
        else:
            script = literal_script(source, entry.kind, entry.names[0], entry.path)
        if script is not None:
            yield script


def _left_behind(objects: Iterable[_Object]) -> Mapping[tuple[str, str], str]:
    """The names that objects have no longer, by kind and name, with those that prefixes and suffixes made of them."""
    found = [entry for entry in objects if entry.kind in ("ConfigMap", "Secret")]
    former = {(entry.kind, name): entry.names[-1] for entry in found for name in entry.names[:-1]}
    return {key: name for key, name in former.items() if key not in {(entry.kind, entry.names[-1]) for entry in found}}


def _renamed(entry: _Object, prefix: str, suffix: str) -> _Object:
    """An object with a prefix and a suffix in its name, which references follow."""
    if not (prefix or suffix):
        return entry
    name = f"{prefix}{entry.names[-1]}{suffix}"
    root = merged(entry.root, Mapped([("metadata", Mapped([("name", Scalar.of(name, entry.root))]))]))
    return replace(entry, root=root, names=(*entry.names, name)) if isinstance(root, Mapped) else entry
