"""Writes src/keng/tables/torch_history.names: which names and modules torch added and removed, by version.

Usage: python tools/torch_history.py SOURCES

SOURCES/VERSION/ holds a wheel of every minor release, unpacked, from 1.0 to the torch that is installed,
which is asked for what it really has. No file is executed. Stubs lag behind: what stands as a word in the
compiled library of the version before may have been there already.
"""

from __future__ import annotations

import ast
import importlib
import pickle
import re
import sys
import warnings
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import torch
from companion_names import Span, key, span
from companion_surface import Names, Surface

OUT = Path(__file__).parents[1] / "src" / "keng" / "tables" / "torch_history.names"
APART = re.compile(
    r"\.(tests?|testing|benchmarks?|examples?|contrib|for_onnx|legacy|packages|lib|include|share|bin|utils\.tensorboard|"
    r"utils\.bottleneck|utils\.hipify|utils\.benchmark|onnx\.symbolic_\w+|onnx\.utils)(\.|$)"
)
DOCUMENTED = re.compile(r"add_(?:doc)?str(?:_all)?\(\s*(?:torch\.)?['\"]?(\w+)['\"]?\s*,")


class Version(NamedTuple):
    """`written` are the names by module that are defined in Python, `words` stand in the compiled part."""

    number: str
    modules: dict[str, Names]
    written: dict[str, Names]
    tensor: Names
    words: Names

    @property
    def minor(self) -> str:
        return ".".join(self.number.split(".")[:2])


def read(folder: Path) -> Version:
    """Kept beside the sources."""
    kept = folder / "history.pickle"
    if not kept.exists():
        kept.write_bytes(pickle.dumps(_read(folder / "torch", folder.name)))
    return pickle.loads(kept.read_bytes())


def _read(root: Path, number: str) -> Version:
    surface = Surface(root)
    modules = {m: set(surface.names(m)) for m in surface.trees if not APART.search(m)}
    for names in modules.values():
        names.discard("")
    written = {m: {n for n in names if surface.is_written(m, n)} for m, names in modules.items()}
    stubs = [root / "__init__.pyi", root / "_C/__init__.pyi", root / "_C/_VariableFunctions.pyi"]
    trees = [ast.parse(f.read_text("utf-8")) for f in stubs if f.exists()]
    documented = set(DOCUMENTED.findall(_text(root / "_torch_docs.py")))
    compiled = documented | {n for tree in trees for n in _bound(tree.body)}
    compiled = {
        n for n in compiled if n[0] != "_" and not n.endswith("Base") and n[:10] != "namedtuple"
    }
    modules["torch"] = compiled | {
        n
        for n in modules["torch"]
        if n in written["torch"] or f"torch.{n}" in modules or surface.is_imported("torch", n)
    }
    bodies = [
        c.body for t in trees for c in t.body if isinstance(c, ast.ClassDef) and c.name in TENSORS
    ]
    bodies += [
        c.body
        for file in (root / "_tensor.py", root / "tensor.py")
        if file.exists()
        for c in ast.parse(file.read_text("utf-8")).body
        if isinstance(c, ast.ClassDef)
    ]
    tensor = set(DOCUMENTED.findall(_text(root / "_tensor_docs.py")))
    written["torch.Tensor"] = set().union(*map(_bound, bodies[-1:]))
    return Version(
        number, modules, written, tensor.union(*map(_bound, bodies)), _words(root.parent)
    )


def _words(root: Path) -> Names:
    """The words that the compiled part holds, each with its end."""
    compiled = [*root.rglob("libtorch_python.*"), *root.glob("torch/_C*.so")]
    return {
        w.decode()
        for f in compiled
        for w in re.findall(rb"[A-Za-z_]\w{2,60}(?=\0)", f.read_bytes())
    }


TENSORS = ("Tensor", "TensorBase", "_TensorBase")


def _text(file: Path) -> str:
    return file.read_text("utf-8") if file.exists() else ""


def _bound(body: list[ast.stmt]) -> Names:
    found: Names = set()
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found.add(node.target.id)
        elif isinstance(node, ast.Assign):
            found |= {t.id for t in node.targets if isinstance(t, ast.Name)}
    return found


def is_there(place: str, name: str) -> bool:
    """Whether the torch that is installed has it: what no file tells is made at run time."""
    owner = torch.Tensor if place == "torch.Tensor" else _imported(place)
    return hasattr(owner, name) or (owner is not None and _imported(f"{place}.{name}") is not None)


def _imported(module: str) -> object:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return importlib.import_module(module)
    except Exception:
        return None


def told(versions: list[Version]) -> Iterator[tuple[str, Span, str]]:
    """Place, versions and name."""
    every: dict[str, Names] = defaultdict(set)
    for version in versions:
        for module, names in version.modules.items():
            every[module] |= names
        every["torch.Tensor"] |= version.tensor
    for place in sorted(every):
        holds = [v.tensor if place == "torch.Tensor" else v.modules.get(place) for v in versions]
        for name in sorted(every[place]):
            is_module = f"{place}.{name}" in every
            if not _matters(place, name, is_module):
                continue
            found = span([names is not None and name in names for names in holds])
            came, gone = found or (None, None)
            if came is not None and holds[came - 1] is None:
                came = None  # it came with its module
            python = came is not None and name in versions[came].written.get(place, ())
            if came is not None and not is_module and not python:
                came = _first(versions, name, came)
            there = is_there(place, name)
            if gone is not None and (holds[gone] is None or there):
                gone = None
            if gone is not None and not (is_module or place in COMPILED):
                gone = gone if name in versions[gone - 1].written.get(place, ()) else None
            if gone is None and not there:
                continue
            if came is not None or gone is not None:
                yield place, (came, gone), name


def _matters(place: str, name: str, is_module: bool) -> bool:
    if not re.fullmatch(r"[A-Za-z]\w{2,}|_\w{3,}", name) or name[:2] == "__" or "_docs" in name:
        return False
    if (place, name) == ("torch", "testing"):
        return False  # it came before `import torch` gave it
    deep, hidden = place.count("."), "._" in place
    if is_module:
        return deep < 2 or (deep == 2 and not hidden)
    return name[0] != "_" and (place in OPEN or (not hidden and deep < 2) or place in DEEPER)


COMPILED = ("torch", "torch.Tensor")
OPEN = ("torch.utils._pytree",)
DEEPER = """
torch.nn.functional torch.nn.modules torch.nn.init torch.nn.parallel torch.nn.attention torch.nn.utils.rnn
torch.nn.utils.parametrize torch.nn.utils.parametrizations torch.nn.utils.prune torch.optim.lr_scheduler
torch.optim.swa_utils torch.utils.data
torch.utils.checkpoint torch.utils.cpp_extension torch.utils.tensorboard torch.cuda.amp torch.distributed.fsdp
torch.distributed.tensor torch.distributed.checkpoint torch.distributed.device_mesh torch.autograd.functional
torch.autograd.graph torch.backends.cuda torch.backends.cudnn torch.backends.mps torch.distributed.optim
torch.fx.experimental torch.ao.quantization torch.distributed.algorithms torch.amp.grad_scaler
torch.fx.traceback
""".split()
"""Modules two below torch in which people name things."""


def _first(versions: list[Version], name: str, came: int) -> int | None:
    """The version that a name came with; None where that is not clear."""
    known = next((n for n, version in enumerate(versions) if name in version.words), came)
    first = known if known < came else came
    return first if first > FIRST - 1 and came - first < 3 else None


FIRST = 2
"""The stubs are whole from 1.2 on."""


TAKEN = {
    "torch": "serialization.py functional.py __init__.py",
    "torch.Tensor": "_tensor.py tensor.py",
    "torch.nn": "nn/modules/*.py",
    "torch.nn.functional": "nn/functional.py",
    "torch.nn.parallel": "nn/parallel/distributed.py nn/parallel/data_parallel.py",
    "torch.nn.utils": "nn/utils/*.py",
    "torch.optim": "optim/*.py",
    "torch.optim.lr_scheduler": "optim/lr_scheduler.py",
    "torch.optim.swa_utils": "optim/swa_utils.py",
    "torch.utils.data": "utils/data/*.py",
    "torch.utils.checkpoint": "utils/checkpoint.py",
    "torch.utils.cpp_extension": "utils/cpp_extension.py",
    "torch.cuda.amp": "cuda/amp/*.py",
    "torch.amp": "amp/*.py",
    "torch.autograd": "autograd/__init__.py",
    "torch.distributed": "distributed/distributed_c10d.py",
    "torch.distributed.fsdp": "distributed/fsdp/fully_sharded_data_parallel.py",
    "torch.hub": "hub.py",
    "torch.jit": "jit/_trace.py jit/_script.py jit/_serialization.py jit/__init__.py",
    "torch.onnx": "onnx/utils.py onnx/__init__.py",
    "torch.multiprocessing": "multiprocessing/spawn.py",
    "torch.profiler": "profiler/profiler.py",
}
"""Where people give arguments by name -> the files that say what is taken."""

METHODS = {"Module", "Optimizer", "Tensor", "_TensorBase"}
"""Classes whose methods are told as well; of the other modules the forward is."""


def taken(root: Path) -> dict[str, Names | None]:
    """`torch.utils.data.DataLoader` -> what it takes by name; None where it takes others too."""
    found: dict[str, Names | None] = {}
    for place, files in TAKEN.items():
        for file in sorted(f for pattern in files.split() for f in root.glob(pattern)):
            for node in ast.parse(file.read_text("utf-8")).body:
                if isinstance(node, ast.FunctionDef) and node.name[0] != "_":
                    found[f"{place}.{node.name}"] = _taken(node)
                elif isinstance(node, ast.ClassDef):
                    own = [n for n in node.body if isinstance(n, ast.FunctionDef)]
                    forward = {"forward"} if place == "torch.nn" else set()
                    kept = [n for n in own if node.name in METHODS or n.name in forward]
                    found |= {
                        f"{place}.{node.name}": _taken(n) for n in own if n.name == "__init__"
                    }
                    found |= {
                        f"{place}.{node.name}.{n.name}": _taken(n) for n in kept if n.name[0] != "_"
                    }
    return found


def _taken(node: ast.FunctionDef) -> Names | None:
    given = {arg.arg for arg in [*node.args.args, *node.args.kwonlyargs]} - {"self", "cls"}
    overloaded = "overload" in "".join(map(ast.unparse, node.decorator_list))
    return None if node.args.kwarg is not None or overloaded else {n for n in given if n[0] != "_"}


def told_of_arguments(
    versions: list[tuple[str, dict[str, Names | None]]],
) -> Iterator[tuple[str, Span, str]]:
    """Of what is there in all versions between, and takes no others."""
    for owner in sorted(set().union(*(each for _, each in versions))):
        holds = [each.get(owner, set() if owner not in each else None) for _, each in versions]
        there = [owner in each for _, each in versions]
        for name in sorted(set().union(*(names for names in holds if names))):
            found = span([names is None or name in names for names in holds])
            came, gone = found or (None, None)
            if came is not None and (
                not there[came - 1] or holds[came - 1] is None or holds[came] is None
            ):
                came = None
            if gone is not None and (not there[gone] or holds[gone - 1] is None):
                gone = None
            if came is not None or gone is not None:
                yield f"{owner}()", (came, gone), name


def main(sources: Path) -> None:
    folders = sorted(sources.iterdir(), key=lambda each: key(each.name))
    versions = [read(each) for each in folders]
    rows: dict[tuple[str, Span], list[str]] = defaultdict(list)
    takes = [(each.name, taken(each / "torch")) for each in folders]
    for place, found, name in [*told(versions), *told_of_arguments(takes)]:
        rows[place, found].append(name)
    lines = [
        f"# torch {versions[0].minor} to {versions[-1].minor}: place | came with | gone with | names"
    ]
    for (place, found), names in sorted(
        rows.items(), key=lambda r: (r[0][0], r[0][1][0] or 0, r[0][1][1] or 99)
    ):
        came, gone = ("" if n is None else versions[n].minor for n in found)
        lines.append(f"{place}|{came}|{gone}|{' '.join(names)}")
    OUT.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
