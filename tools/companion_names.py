"""Writes src/keng/tables/libraries/: what libraries other than PyTorch added and removed, by version.

Usage: python tools/companion_names.py SOURCES

SOURCES/LIBRARY/VERSION/LIBRARY/ holds the files of each version that is to be read: best one of every minor
release, without gaps, as what is missing in one is said to have gone with it. SOURCES/heirs/LIBRARY/ are the
files of a library that others went to.
"""

from __future__ import annotations

import ast
import pickle
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from companion_libraries import CHOSEN_AT_IMPORT, LIBRARIES
from companion_surface import MODELS, Names, Offered, Surface, Where

from keng.tables import libraries

OUT = Path(__file__).parents[1] / "src" / "keng" / "tables" / "libraries"


KINDS = tuple(kind for kind in libraries.kinds() if len(kind) > 2)
ALIASED = re.compile(r"(?:Fast|_fast)$|^tokenization_utils")
"""Names of transformers that version 5 answers with those of today."""

PLAIN = re.compile(r"Input|Output|Parameters|Enum|Transform|Payload")
"""Types of huggingface_hub's answers, hundreds of them."""


class Version(NamedTuple):
    number: str
    modules: dict[str, Names]
    offered: dict[Where, Offered]
    asked: set[Where]


Span = tuple[int | None, int | None]
"""The versions that something came and went with, None where it was there from the first, is to the last."""


def key(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", re.sub(r"\.?post.*", "", version)))


def span(flags: Sequence[bool]) -> Span | None:
    """None where it came and went more than once, was there only for a version between others, or always."""
    there = [n for n, flag in enumerate(flags) if flag]
    if not there or (len(there) == 1 and not (flags[0] or flags[-1])):
        return None
    first, after = there[0], there[-1] + 1
    if flags[first:after].count(False) > 1 or all(flags):
        return None
    return first or None, after if after < len(flags) else None


def read(folder: Path) -> Version:
    """Kept beside the sources: reading all of them takes a quarter of an hour."""
    kept = folder / "surface.pickle"
    if not kept.exists():
        surface = Surface(folder / folder.parent.name)
        modules = {module: surface.names(module) for module in surface.modules}
        version = Version(folder.name, modules, surface.offered(), surface.asked_of_others())
        kept.write_bytes(pickle.dumps(version))
    return pickle.loads(kept.read_bytes())


class History:
    def __init__(
        self, name: str, versions: Sequence[Version], asked: set[Where], heir: Surface | None = None
    ) -> None:
        self.name, self.of, self.versions, self._heir = name, LIBRARIES[name], versions, heir
        own = {where for where in asked if where[0].partition(".")[0] == name}
        self._asked = own | {tuple(module.rpartition(".")[::2]) for module, _ in own}
        self._modules: Names = set().union(*(v.modules for v in versions))
        self._defined = {where for v in versions for where in v.offered}
        self._offered = {
            tuple(place.rpartition(".")[::2])
            for v in versions
            for offered in v.offered.values()
            for place in offered.places
        }
        self._now: dict[str, Names] = defaultdict(set)
        for (_, name_), offered in versions[-1].offered.items():
            self._now[name_] |= {p for p in offered.places if p.endswith(f".{name_}")}

    @property
    def read(self) -> str:
        return f"{self.name} {self._short(0)} to {self._short(-1)}"

    def names(self) -> Iterator[str]:
        """Lines: place|came|gone|names, and where they are now."""
        rows: dict[tuple[str, Span], list[str]] = defaultdict(list)
        for module in sorted(self._modules):
            for name in sorted(set().union(*(v.modules.get(module, set()) for v in self.versions))):
                told = self._told_of_name(module, name)
                if told is not None:
                    word, found = told
                    rows[module, found] += [] if word in rows[module, found] else [word]
        for (module, found), words in sorted(
            rows.items(), key=lambda row: (row[0][0], _order(row[0][1]))
        ):
            yield "|".join([module, *self._shorts(found), " ".join(words)])

    def members(self) -> Iterator[str]:
        """Lines: library and owners|came|gone|arguments or attributes."""
        rows: dict[tuple[Span, str], list[str]] = defaultdict(list)
        for owner, histories in sorted(self._histories().items()):
            told: dict[Span, list[str]] = defaultdict(list)
            for name, flags in histories.items():
                if not name.isidentifier():
                    continue  # a word of a decorator
                found = self._since(span([flag for _, flag in flags]), [n for n, _ in flags])
                if found is not None:
                    told[found].append(name)
            for found, names in told.items():
                words = [self._with_config(owner, name, found) for name in names]
                rows[found, " ".join(sorted(words))].append(owner)
        for (found, names), owners in sorted(
            rows.items(), key=lambda row: (row[1], _order(row[0][0]))
        ):
            yield "|".join([f"{self.name} {' '.join(owners)}", *self._shorts(found), names])

    def _with_config(self, owner: str, name: str, found: Span) -> str:
        """What a trainer of trl no longer takes, its configuration may."""
        config = owner.replace("Trainer", "Config")
        last = [o.takes for (_, n), o in self.versions[-1].offered.items() if n == config]
        takes = any(each is not None and name in each.names for each in last)
        moved = self.name == "trl" and found[1] is not None and config != owner and takes
        return f"{name}={config}" if moved else name

    def _told_of_name(self, module: str, name: str) -> tuple[str, Span] | None:
        where, is_module = (module, name), f"{module}.{name}" in self._modules
        asked, deep = where in self._asked, module.count(".")
        if self.name == "timm" and deep > 1 and re.search(r"\d", name):
            return None  # a variant of a model
        if not self._matters(where, is_module):
            return None
        there = [module in v.modules for v in self.versions]
        found = span([name in v.modules.get(module, set()) for v in self.versions])
        came, gone = found or (None, None)
        whole = re.fullmatch(self.of.whole, module) is not None
        long_ago = came is not None and self._is_before(came, self.of.since) and not whole
        if came is not None and (not there[came - 1] or long_ago):
            came = None  # it came with its module, or long ago
        if gone is not None and (
            not there[gone] or (deep and self._is_before(gone, self.of.before))
        ):
            gone = None
        told = asked or whole
        if (came is None and gone is None) or (gone is None and deep and not told):
            return None
        if self.name == "torchvision" and libraries.WEIGHTS.fullmatch(name):
            return None  # companions.of_name knows them
        home = self._home(module, name, is_module) if gone is not None else ""
        if self.name == "timm" and home.startswith("timm.models"):
            home = ""  # several models have a class of that name
        if self.name == "timm" and module == "timm.models" and not (asked or is_module):
            return (f"{name}={home}", (came, gone)) if home == "timm.layers" else None
        if self.name == "huggingface_hub" and gone is None and PLAIN.search(name):
            return None
        if self.name == "transformers" and self._is_told_by_type(module, name, (came, gone)):
            return None
        all_at_once = libraries.ALL.search(name) if module == "transformers" else None
        if all_at_once is not None and gone is not None:
            return all_at_once[0], (None, gone)
        return f"{name}={home}" if home else name, (came, gone)

    def _is_told_by_type(self, module: str, name: str, found: Span) -> bool:
        """Whether an older name is still answered, or the table of model types says when it came."""
        came, gone = found
        if gone is not None:
            alias = ALIASED.search(name) and not self._is_before(gone, "5.0")
            return bool(alias) or name.startswith(("dummy_", "convert_"))
        version = libraries.version_of_class(name)
        of_a_model = not version and name.lower().replace("_", "").startswith(KINDS)
        known = came is not None and version == self._short(came)
        return module == "transformers" and bool(known or of_a_model or libraries.ALL.search(name))

    def _matters(self, where: Where, is_module: bool) -> bool:
        module, name = where
        asked, deep = where in self._asked, module.count(".")
        if name.startswith("__") or re.fullmatch(self.of.without, f"{module}.{name}"):
            return False
        if not re.fullmatch(r"[A-Za-z]\w{2,}|_\w+|v\d", name):
            return False
        if module.startswith(MODELS) and not is_module:
            return False
        wanted = re.fullmatch(self.of.private, name) is not None
        hidden = name[0] == "_" and not wanted
        if deep > 3 or ((deep > self.of.deep or hidden) and not asked):
            return False
        is_package = any(other.startswith(f"{module}.") for other in self._modules)
        own = where in self._defined or (is_package and where in self._offered)
        told = re.fullmatch(self.of.whole, module) or re.fullmatch(self.of.named, name)
        return not deep or asked or is_module or own or wanted or told is not None

    def _home(self, module: str, name: str, is_module: bool) -> str:
        """The module that has it now."""
        last = self.versions[-1].modules
        if is_module:
            homes = [m for m, names in last.items() if name in names and f"{m}.{name}" in last]
            return homes[0] if len(homes) == 1 and len(name) > 7 and "_" in name else ""
        unsaid = rf"{self.of.without}|.*(?:\._|experimental).*"
        places = [p for p in self._now.get(name, ()) if not re.fullmatch(unsaid, p)]
        best = min(places, key=lambda place: (place.count("."), len(place), place), default="")
        return best.rpartition(".")[0] or self._inherited(name)

    def _inherited(self, name: str) -> str:
        if self._heir is None or len(name) < 4:
            return ""
        homes = [m for m in self._heir.modules if name in self._heir.names(m)]
        return min(homes, key=lambda module: (module.count("."), len(module), module), default="")

    def _histories(self) -> dict[str, dict[str, list[tuple[int, bool]]]]:
        """Owner -> name -> whether it has that, in each version that has the owner."""
        found: dict[str, dict[int, list[tuple[int, Any]]]] = defaultdict(lambda: defaultdict(list))
        for n, version in enumerate(self.versions):
            for (_, name), offered in version.offered.items():
                depth = min(place.count(".") for place in offered.places)
                if depth > self.of.owners_deep:
                    continue
                if offered.is_class and re.fullmatch(self.of.objects, name):
                    own = {each for each in offered.methods if not each.startswith("on_")}
                    own |= offered.fields if self.of.fields else set()
                    found[f"{name}."][n].append((depth, (own, False)))
                called = f"{name}" if offered.is_class else f"{name}()"
                members = {called: offered.takes}
                members |= {f"{name}.{each}": takes for each, takes in offered.methods.items()}
                for owner, takes in members.items():
                    if takes is not None and re.fullmatch(self.of.owners, owner):
                        found[owner][n].append((depth, takes))
        return {owner: _flags(by) for owner, by in found.items()}

    def _since(self, found: Span | None, numbers: Sequence[int]) -> Span | None:
        """In the versions of the library, without what came long ago."""
        came, gone = (None if n is None else numbers[n] for n in found or (None, None))
        if came is not None and self._is_before(came, self.of.since):
            came = None
        return None if came is None and gone is None else (came, gone)

    def _is_before(self, n: int, version: str) -> bool:
        return key(self.versions[n].number) < key(version)

    def _short(self, n: int) -> str:
        """A minor release: `4.51`; of those that count otherwise, all of it."""
        parts = re.sub(r"\.?post.*", "", self.versions[n].number).split(".")
        return ".".join(parts if self.name in ("dgl", "timm") else parts[:2])

    def _shorts(self, found: Span) -> list[str]:
        return ["" if n is None else self._short(n) for n in found]


def _order(found: Span) -> tuple[int, int]:
    return found[0] or 0, found[1] or 1000


def _flags(by: dict[int, list[tuple[int, Any]]]) -> dict[str, list[tuple[int, bool]]]:
    """Of the owner that lies least deep; several at one depth are not told apart. What takes any others says
    nothing of a name: it is as before."""
    best = {n: min(depth for depth, _ in found) for n, found in by.items()}
    chosen = {n: [t for depth, t in found if depth == best[n]] for n, found in by.items()}
    if any(len(found) > 1 for found in chosen.values()):
        return {}
    takes = {n: found[0] for n, found in sorted(chosen.items())}
    flags: dict[str, list[tuple[int, bool]]] = {}
    for name in set().union(*(names for names, _ in takes.values())):
        if name[0] == "_" or len(name) < 2 or name in ("args", "kwargs"):
            continue
        known = next(
            name in names for names, others in takes.values() if name in names or not others
        )
        flags[name] = []
        for n, (names, others) in takes.items():
            known = name in names or (others and known)
            flags[name].append((n, known))
    return flags


def model_types(folder: Path) -> Iterator[str]:
    """Lines: a version of transformers, and the types of models that came with it."""
    seen: Names = set()
    versions = sorted(folder.iterdir(), key=lambda each: key(each.name))
    for each in versions:
        files = [each / "transformers" / "configuration_auto.py"]
        files += sorted((each / "transformers/models/auto").glob("*_auto.py"))
        files += [each / "transformers/models/auto/auto_mappings.py"]
        found = set().union(*(_mapped(file) for file in files if file.exists()))
        if seen and found - seen:
            yield " ".join([".".join(each.name.split(".")[:2]), *sorted(found - seen)])
        seen |= found


def _mapped(file: Path) -> Names:
    """The keys of CONFIG_MAPPING, which is a dict or made of pairs."""
    found: Names = set()
    for node in ast.walk(ast.parse(file.read_bytes())):
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        if getattr(target, "id", "") in ("CONFIG_MAPPING", "CONFIG_MAPPING_NAMES"):
            inner = list(ast.walk(node.value))
            keys = [k for n in inner if isinstance(n, ast.Dict) for k in n.keys]
            keys += [n.elts[0] for n in inner if isinstance(n, ast.Tuple) and len(n.elts) == 2]
            found |= {k.value for k in keys if isinstance(k, ast.Constant)}
    return found


def main(sources: Path) -> None:
    head = (
        "# model types by the first transformers that has them; versions as in transformers.names"
    )
    types = list(model_types(sources / "transformers"))
    (OUT / "model_types").write_text("\n".join([head, *types]) + "\n")
    versions = {
        name: [read(each) for each in sorted((sources / name).iterdir(), key=lambda f: key(f.name))]
        for name in LIBRARIES
        if (sources / name).is_dir()
    }
    asked = {where for each in versions.values() for version in each for where in version.asked}
    heirs = {each.name: Surface(each) for each in sorted((sources / "heirs").glob("*"))}
    histories = [
        History(name, each, asked, heirs.get(LIBRARIES[name].heir))
        for name, each in versions.items()
    ]
    for history in histories:
        head = f"# {history.read}: place | came with | gone with | names, and =where they are now"
        (OUT / f"{history.name}.names").write_text("\n".join([head, *history.names()]) + "\n")
    read_ = ", ".join(history.read for history in histories)
    head = f"# library and owners | came with | gone with | arguments, or after a dot attributes; of {read_}"
    members = [line for history in histories for line in history.members()]
    (OUT / "members").write_text("\n".join([head, *members, *CHOSEN_AT_IMPORT]) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
