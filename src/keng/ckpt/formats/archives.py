"""Zip archives other than torch.save's: TorchScript, torch.export, NumPy's npz.

Each reader takes the archive and gives the root of its tree; raises ledger.Broken.
"""

from __future__ import annotations

import re
from functools import partial

from keng.ckpt.formats import arrays
from keng.ckpt.formats.torch_zip import facts_of, read_pickle, root_of
from keng.ckpt.formats.zip_directory import DEFLATED, Archive, Entry
from keng.ckpt.nodes import Dict, Global, Storage, Tensor
from keng.ckpt.pickle.budget import Broken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SCALAR_TYPES = {
    **dict(enumerate("uint8 int8 int16 int32 int64 float16 float32 float64".split(), 1)),
    **dict(enumerate("complex32 complex64 complex128 bool bfloat16".split(), 9)),
    **dict(enumerate("uint16 float8_e4m3fn float8_e5m2 float8_e4m3fnuz".split(), 28)),
    **dict(enumerate("float8_e5m2fnuz float8_e8m0fnu uint32 uint64".split(), 32)),
}
"""torch._export.serde.schema.ScalarType, of torch 2.13."""
LOADER = Global("torch._inductor", "aoti_load_package")
INPUTS = "serialized_example_inputs.pt"
SAVED = ("serialized_state_dict.pt", "serialized_constants.pt", INPUTS)
WITHIN = r"data/(?:weights|constants|sample_inputs)/[^/]+\.pt"
"""Files of torch.save within an archive."""
PROGRAM = r"models/[^/]+\.json|serialized_exported_program\.json"
LIBRARIES = (".so", ".dll", ".pyd", ".dylib", ".cubin", ".hsaco")


def torchscript(archive: Archive) -> Dict:
    """The module, and the constants of its code. Its classes are TorchScript's own."""
    from keng.ckpt.formats import script

    archive.ledger.torchscript = True
    folder = root_of(archive.entries)
    facts_of(archive, folder)
    root = Dict()
    for key in ("data", "constants"):
        if f"{folder}{key}.pkl" in archive.entries:
            value = read_pickle(archive, f"{folder}{key}.pkl", f"{folder}{key}/")
            root.pairs.append((key, value))
    script.read(archive, folder)
    return root


def export(archive: Archive) -> Dict:
    """Its weights and constants. Since 2.8 each lies in an entry of its own, before in one torch.save
    of all."""
    from keng.ckpt.formats import programs, script

    folder = root_of(archive.entries)
    facts_of(archive, folder)
    _compiled(archive)
    root = Dict()
    for what in ("weights", "constants"):
        for name in [name for name in archive.entries if name.endswith(f"{what}_config.json")]:
            pairs = list(_configured(archive, name))
            root.pairs.append((what, Dict(pairs=pairs)))
    for name in SAVED:
        if (entry := archive.entries.get(name)) is not None and entry.nbytes:
            value = _nested(archive, entry)
            if name != INPUTS:
                root.pairs.append((name.removesuffix(".pt"), value))
    for name, entry in archive.entries.items():
        inner = name.removeprefix(folder)
        if re.fullmatch(WITHIN, inner):
            value = _nested(archive, entry)
            if not inner.startswith("data/sample_inputs/"):
                root.pairs.append((inner.split("/")[1], value))
        elif re.fullmatch(PROGRAM, inner):
            programs.read(archive, name)
        elif inner.startswith(("extra/", "extra_files/")):
            script.read_text(archive, name)
    return root


def _compiled(archive: Archive) -> None:
    """What AOTInductor made is a library of machine code, which loading the package runs."""
    for name in archive.entries:
        if name.endswith(LIBRARIES):
            library, path = name.rpartition("/")[2], archive.source.path
            archive.ledger.called(LOADER, (library,), path)
            archive.ledger.note(f"{library} is machine code, which loading the package runs", path)


def _configured(archive: Archive, name: str) -> Any:
    import json

    folder = name.rpartition("/")[0] + "/"
    try:
        config = json.loads(str(archive.bytes_of(name), "utf-8"))["config"]
        for key, entry in config.items():
            path = entry["path_name"]
            stored = archive.entries[folder + path]
            if path.startswith(("custom_obj_", "opaque_obj_")):
                yield key, read_pickle(archive, stored.name, folder)
            elif entry.get("use_pickle"):
                yield key, _nested(archive, stored)
            else:
                yield key, _described(archive, stored, entry["tensor_meta"], key)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise Broken(f"{name} is not as torch.export writes it") from None


def _described(archive: Archive, entry: Entry, meta: Any, key: str) -> Tensor:
    dtype = SCALAR_TYPES[meta["dtype"]]
    shape = tuple(int(size["as_int"]) for size in meta["sizes"])
    stride = tuple(int(size["as_int"]) for size in meta["strides"])
    storage = Storage(key, dtype, entry.nbytes, meta["device"]["type"], crc=entry.crc)
    _put(archive, entry, storage)
    offset = int(meta["storage_offset"]["as_int"])
    if min((*shape, *stride, offset), default=0) < 0 or len(shape) != len(stride):
        raise ValueError
    return Tensor(dtype, shape, stride, offset, storage)


def _put(archive: Archive, entry: Entry, storage: Storage) -> None:
    archive.seen[entry.name] = "tensors"
    packed = entry.packed if entry.method == DEFLATED else None
    archive.source.put(storage, entry.start, entry.nbytes, packed)


def _nested(archive: Archive, entry: Entry) -> Any:
    """A torch.save within the archive, which torch.export loads without `weights_only` where it has to."""
    if entry.method == DEFLATED:
        archive.ledger.trick(f"{entry.name} is compressed, which torch never does")
    read = archive.ledger.content
    return (
        read(archive.member(entry.name, "pickles"), archive.ledger)[1] if read is not None else None
    )


def npz(archive: Archive) -> Dict:
    root = Dict()
    for name, entry in archive.entries.items():
        if name.endswith(".npy"):
            root.pairs.append((name.removesuffix(".npy"), _array(archive, entry)))
    return root


def _array(archive: Archive, entry: Entry) -> Any:
    member = arrays.Member(
        entry.name,
        entry.nbytes,
        partial(_put, archive, entry),
        partial(archive.bytes_of, entry.name, "pickles"),
    )
    made = arrays.read(_beginning(archive, entry), member, archive.ledger, archive.source.path)
    if isinstance(made, Tensor):
        made.storage.crc = entry.crc
    return made


def _beginning(archive: Archive, entry: Entry) -> bytes:
    if entry.method != DEFLATED:
        return archive.source.read(entry.start, min(entry.nbytes, arrays.LONGEST_HEADER))
    from zlib import MAX_WBITS, decompressobj, error

    try:
        packed = archive.source.read(entry.start, min(entry.packed, arrays.LONGEST_HEADER))
        return decompressobj(-MAX_WBITS).decompress(packed, arrays.LONGEST_HEADER)
    except error:
        raise Broken(f"{entry.name} cannot be unpacked") from None
