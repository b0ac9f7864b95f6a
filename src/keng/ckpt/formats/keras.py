"""Models of Keras: .keras archives with a configuration in JSON, and HDF5 files with it in an attribute.

Keras builds the layers that it names. A Lambda layer holds Python code; other entries are imported by name.
"""

from __future__ import annotations

import json
import re

from keng.ckpt.byte_source import Source
from keng.ckpt.formats.zip_directory import Archive
from keng.ckpt.nodes import Dict, Global
from keng.ckpt.pickle.budget import Broken, Ledger

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

CONFIG = "config.json"
OTHERS = ("metadata.json",)
BYTE = 4
"""Units of work (`ledger.WORK`) for a byte of JSON."""
MARSHALLED = Global("marshal", "loads")
"""How Keras makes code of a Lambda layer."""
LOADED = Global("torch", "load")
CODE = {"Lambda": MARSHALLED, "__lambda__": MARSHALLED, "TorchModuleWrapper": LOADED}
"""What these classes have Keras call."""
OUTSIDE = {
    "TFSMLayer": "a SavedModel of TensorFlow",
    "JaxLayer": "code of JAX",
    "FlaxLayer": "code of Flax",
}
OWN = re.compile(
    r"(?:keras|tf_keras|tensorflow\.keras|tensorflow\.python\.keras)(?:\.\w+)*|builtins"
)
FETCHING = {
    "get_file",
    "load_model",
    "load_weights",
    "config_from_file",
    "run",
    "getattr",
    "eval",
    "exec",
}
SIMPLE = re.compile(r"[\w.]+(?:>\w+)?")
TEXT_CONFIG = re.compile(
    rb'\{"class_name": ?"\w+", ?"config": ?\{|\{"module": ?"[\w.]+", ?"class_name"'
)
LAMBDA = re.compile(rb'"class_name": ?"(Lambda|__lambda__|TorchModuleWrapper)"')
OFFSETS = 8
"""Bytes of an offset in HDF5 as it is written everywhere."""
PIECE, OVERLAP = 1 << 20, 128


def archive(archive: Archive) -> Dict:
    """The configuration; the weights are HDF5. Raises Broken."""
    root = Dict()
    for name in (CONFIG, *OTHERS):
        if name in archive.entries:
            root.pairs.append((name.removesuffix(".json"), _read(archive, name)))
    for name in archive.entries:
        if name.endswith(".h5"):
            archive.ledger.trick(f"{name} is HDF5, which keng does not read", archive.source.path)
            _find_code(archive.member(name, "tensors"), archive.ledger)
    return root


def _read(archive: Archive, name: str) -> Any:
    text, ledger = archive.bytes_of(name), archive.ledger
    ledger.spend(BYTE * len(text))
    try:
        config = json.loads(str(text, "utf-8"))
    except (ValueError, RecursionError):
        raise Broken(f"{name} is no JSON in UTF-8") from None
    judge(config, ledger, archive.source.path)
    return _as_nodes(config)


def judge(config: Any, ledger: Ledger, file: str) -> None:
    """Reports what building the layers would import and call."""
    open_ = [config]
    while open_:
        value = open_.pop()
        if isinstance(value, list):
            open_ += value
        elif isinstance(value, dict):
            open_ += value.values()
            _entry(value, ledger, file)


def _entry(value: dict[str, Any], ledger: Ledger, file: str) -> None:
    kind, module, inner = value.get("class_name"), value.get("module"), value.get("config")
    if not isinstance(kind, str):
        return
    if kind in CODE:
        ledger.imported(CODE[kind])
        ledger.called(CODE[kind], (_named(value, kind),), file)
    elif kind in OUTSIDE:
        ledger.trick(f"the layer {_named(value, kind)} loads {OUTSIDE[kind]}", file)
    elif not SIMPLE.fullmatch(kind):
        ledger.trick(f"a layer of the class {kind[:80]!r}", file)
    name = inner if kind == "function" and isinstance(inner, str) else kind
    if not isinstance(module, str) or OWN.fullmatch(module):
        if name in FETCHING:
            ledger.imported(Global(module if isinstance(module, str) else "keras", name))
            ledger.trick(f"its configuration names the function {name}, which no layer is", file)
    else:
        ledger.imported(Global(module, name))
    if isinstance(value.get("registered_name"), str) and ">" in value["registered_name"]:
        ledger.trick(f"a class that the program registers: {value['registered_name'][:80]}", file)
    vocabulary = inner.get("vocabulary") if isinstance(inner, dict) else None
    if isinstance(vocabulary, str):
        ledger.trick(f"a layer reads the file {vocabulary[:200]!r}", file)


def _named(value: dict[str, Any], kind: str) -> str:
    config = value.get("config")
    name = config.get("name") if isinstance(config, dict) else None
    return f"{kind} {name}" if isinstance(name, str) else kind


def hdf5(source: Source, ledger: Ledger) -> Dict:
    """The configuration of a Keras model, if its text lies in one piece; nothing else is read."""
    ledger.claim("unread", source.size)
    if source.size < (end := _end(source)):
        ledger.broken(f"the file has {source.size} of {end} bytes", source.path)
    _find_code(source, ledger)
    config = _config(source)
    if config is None:
        ledger.trick(
            "an HDF5 file without a configuration of Keras: keng does not read it", source.path
        )
        return Dict()
    ledger.trick("an HDF5 file: keng reads its configuration, and no more of it", source.path)
    judge(config, ledger, source.path)
    return Dict(pairs=[("model_config", _as_nodes(config))])


def _end(source: Source) -> int:
    """Where the superblock of an HDF5 file says that the file ends."""
    head = source.read(8, 48).ljust(48, b"\0")
    width, at = (head[1], 20) if head[0] >= 2 else (head[5], 32 + 4 * (head[0] == 1))
    return int.from_bytes(head[at : at + OFFSETS], "little") if width == OFFSETS else 0


def _find_code(source: Source, ledger: Ledger) -> None:
    for start in range(0, source.size, PIECE):
        piece = source.read(start, PIECE + OVERLAP)
        for found in LAMBDA.finditer(piece):
            name = found[1].decode()
            ledger.imported(CODE[name])
            ledger.called(CODE[name], (name,), source.path)


def _config(source: Source) -> Any:
    """The first JSON text that is a configuration; None where there is none."""
    for start in range(0, source.size, PIECE):
        found = TEXT_CONFIG.search(source.read(start, PIECE + OVERLAP))
        if found:
            text = source.read(start + found.start(), 16 * PIECE).decode("utf-8", "replace")
            try:
                return json.JSONDecoder().raw_decode(text)[0]
            except (ValueError, RecursionError):
                return None
    return None


def _as_nodes(value: Any) -> Any:
    if isinstance(value, dict):
        return Dict(pairs=[(key, _as_nodes(each)) for key, each in value.items()])
    return [_as_nodes(each) for each in value] if isinstance(value, list) else value
