"""Archives in which a checkpoint is one file among others: .nemo of NVIDIA NeMo, .mar of TorchServe, packages
of torch.package. Each file in them is judged by its content. Python code is reported, and so are names that a
configuration has imported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress

from keng.ckpt.byte_source import Source
from keng.ckpt.formats import tar
from keng.ckpt.formats.zip_directory import Archive
from keng.ckpt.nodes import SIZES, Dict, Global, Storage
from keng.ckpt.pickle.budget import Broken, Ledger, Odd
from keng.ckpt.pickle.constructors import dtype_of_storage
from keng.ckpt.pickle.machine import Machine, any_persistent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NEMO = "model_config.yaml"
MANIFEST = "MAR-INF/MANIFEST.json"
EXTERN = ".data/extern_modules"
MODELS = (
    ".pt",
    ".pth",
    ".bin",
    ".ckpt",
    ".pkl",
    ".safetensors",
    ".onnx",
    ".npz",
    ".npy",
    ".pt2",
    ".joblib",
)
TEXTS = (".yaml", ".yml", ".json", ".txt", ".md", ".vocab", ".model", ".csv", ".cfg", ".ini")
TARGET = re.compile(r"""^[\s\-]*["']?(?:_target_|target)["']?\s*:\s*["']?([\w.]+)""", re.MULTILINE)
TAG = re.compile(r"!!?python/[\w/:.]+")
PROGRAMS = (".py", ".pyc", ".so", ".sh", ".dll", ".pyd")
VOCABULARY = ".model"
"""SentencePiece's, which is protobuf."""
ESCAPED = re.compile(r'"(?:[^"\\\n]|\\.)*\\[xuU](?:[^"\\\n]|\\.)*"\s*:')


def nemo(source: Source, ledger: Ledger) -> Dict:
    """The checkpoint of a tar archive, by its name. Raises Broken."""
    root = Dict()
    for name, member in tar.members(source, ledger).items():
        _judged(name, member, root, ledger)
    return root


def mar(archive: Archive) -> Dict:
    """Raises Broken."""
    root = Dict()
    for name, entry in archive.entries.items():
        if not name.endswith("/") and entry.nbytes:
            kind = "pickles" if name.endswith(MODELS) else "text"
            _judged(name, archive.member(name, kind), root, archive.ledger)
    return root


def package(archive: Archive, folder: str) -> Dict:
    """The pickles of a package of torch.package, which brings the code of their classes. Raises Broken."""
    ledger, path = archive.ledger, archive.source.path
    ledger.trick("a package of torch.package: PackageImporter runs the Python code in it", path)
    root = Dict()
    for name, entry in archive.entries.items():
        inner = name.removeprefix(folder)
        if inner.endswith(".pkl"):
            root.pairs.append((inner, _pickle(archive, name, folder)))
        elif entry.nbytes:
            archive.seen[name] = "tensors" if inner.endswith(".storage") else "text"
    return root


def _pickle(archive: Archive, name: str, folder: str) -> Any:
    """Its storages lie in `.data`, as NUMBER.storage."""
    known: dict[str, Storage] = {}

    def load(pid: Any) -> Any:
        if not isinstance(pid, tuple) or len(pid) != 5 or pid[0] != "storage":
            return any_persistent(pid)
        key, count = str(pid[2]), pid[4]
        if not isinstance(count, int) or not 0 <= count < 2**60:
            raise Odd("a storage of a size that there is not")
        if key not in known:
            dtype = dtype_of_storage(pid[1])
            known[key] = Storage(key, dtype, count * SIZES[dtype], str(pid[3]))
            entry = archive.entries.get(f"{folder}.data/{key}.storage")
            if entry is not None and entry.packed == entry.nbytes:
                archive.source.put(known[key], entry.start, entry.nbytes)
        return known[key]

    data = archive.bytes_of(name, "pickles")
    return Machine(data, archive.ledger, archive.source.path, load).run()


def _judged(name: str, member: Source, root: Dict, ledger: Ledger) -> None:
    """Reads a file of the archive by its content."""
    if name.endswith(PROGRAMS):
        ledger.trick(f"{name} is code, which loading the archive runs", member.path)
    elif name.endswith(MODELS) or member.read(0, 2).startswith((b"PK", b"\x80")):
        value = ledger.content(member, ledger)[1] if ledger.content is not None else None
        root.pairs.append((name, value))
    elif name.endswith(TEXTS):
        _text(name, member, ledger)
        if name.endswith((".yaml", ".yml")):
            root.pairs.append((name, f"a text of {member.size} bytes"))
    else:
        ledger.trick(f"{name} is of a kind that keng does not know", member.path)


def _text(name: str, member: Source, ledger: Ledger) -> None:
    try:
        text = member.whole(0, member.size).decode("utf-8")
    except UnicodeDecodeError:
        if not name.endswith(VOCABULARY):
            ledger.trick(f"{name} is no text in UTF-8", member.path)
        return
    ledger.spend(len(text))
    for target in _targets(text):
        ledger.imported(target)
    if name.endswith((".yaml", ".yml")) and ESCAPED.search(text):
        ledger.trick(f"{name} has escaped names, which keng does not read", member.path)


def _targets(text: str) -> Iterator[Global]:
    """What a configuration has Hydra or NeMo import, and what tags of YAML make."""
    for full in TARGET.findall(text):
        module, _, last = full.rpartition(".")
        yield Global(module, last)
    for tag in TAG.findall(text):
        full = tag.rpartition(":")[2]
        module, _, last = full.rpartition(".")
        yield Global(module, last)


def is_nemo(source: Source) -> bool:
    """Whether a tar archive has a configuration of NeMo, and not what torch.load of 2016 reads."""
    with suppress(Broken):
        names = tar.names(source)
        return NEMO in names and not set(tar.FILES) <= set(names)
    return False
