"""What a file, or a file within a file, holds: finds out what it is, and calls the reader for it."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress

from keng.ckpt.byte_source import Source, in_memory
from keng.ckpt.formats import detect, torch_zip
from keng.ckpt.formats.zip_directory import ARRAY, Archive
from keng.ckpt.pickle.budget import NESTED, WRAPPERS, Broken, Ledger
from keng.ckpt.pickle.machine import Machine, any_persistent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keng.ckpt.aliases import Format

PICKLES = 16
"""Pickles in a row that are read for their names."""
EXTENSION = "copyreg.extension"
"""Names by their number: a file alone cannot give them a meaning."""
NO_CHECKPOINTS = {
    "unwritten": "torch.save broke off before its pickle: something in it cannot be pickled",
    "": "a zip archive, and no checkpoint in it",
}


def content(source: Source, ledger: Ledger) -> tuple[Format, Any]:
    """What a file, or a file within a file, holds; what is broken is in the ledger."""
    kind: Format = "unknown"
    ledger.nested += 1
    try:
        if ledger.nested > NESTED:
            raise Broken("a file within a file within a file")
        if (packing := detect.packing(source.read(0, 8))) and not detect.is_safetensors(source):
            return _unpacked(packing, source, ledger)
        kind = _kind_of(source)
        return _read(kind, source, ledger)
    except Broken as broken:
        ledger.broken(str(broken), source.path)
        return kind, None
    finally:
        ledger.nested -= 1


def _kind_of(source: Source) -> Format:
    """Raises Broken where the file is something else."""
    if detect.is_zip(source):
        return "zip"
    if detect.is_safetensors(source):
        return "safetensors"
    if source.read(0, len(ARRAY)) == ARRAY:
        return "npy"
    if (other := _kind_of_others(source)) is not None:
        return other
    if what := detect.not_a_checkpoint(source):
        raise Broken(what)
    from keng.ckpt.formats import bundles, tar

    if tar.looks_like_tar(source):
        return "nemo" if bundles.is_nemo(source) else "tar"
    return "pickle"


def _kind_of_others(source: Source) -> Format | None:
    """Formats that torch does not load."""
    head = source.read(0, len(detect.HDF5))
    if head.startswith(detect.GGUF):
        return "gguf"
    if head == detect.HDF5:
        return "hdf5"
    if head[:1] == b"\x08":
        from keng.ckpt.formats import onnx

        return "onnx" if onnx.looks_like_onnx(source) else None
    return None


def _read(kind: Format, source: Source, ledger: Ledger) -> tuple[Format, Any]:
    other_readings(kind, source, ledger)
    if kind == "zip":
        return _archive(source, ledger)
    if kind == "pickle":
        return _pickle(source, ledger)
    if kind == "safetensors":
        from keng.ckpt.formats import safetensors

        return kind, safetensors.read(source, ledger)
    if kind == "npy":
        from keng.ckpt.formats import arrays

        return kind, arrays.read_file(source, ledger)
    if kind in ("gguf", "onnx", "hdf5", "nemo"):
        return kind, _read_others(kind, source, ledger)
    from keng.ckpt.formats import tar

    return kind, tar.read(source, ledger)


def _read_others(kind: Format, source: Source, ledger: Ledger) -> Any:
    if kind == "gguf":
        from keng.ckpt.formats import gguf

        return gguf.read(source, ledger)
    if kind == "onnx":
        from keng.ckpt.formats import onnx

        return onnx.read(source, ledger)
    if kind == "hdf5":
        from keng.ckpt.formats import keras

        return keras.hdf5(source, ledger)
    from keng.ckpt.formats import bundles

    return bundles.nemo(source, ledger)


def _unpacked(packing: str, source: Source, ledger: Ledger) -> tuple[Format, Any]:
    """A pickle as joblib packs it. What else is packed, nobody loads as it is. Raises Broken."""
    from keng.ckpt.formats import packed

    other_readings("pickle", source, ledger)
    inner = in_memory(packed.read(packing, source, ledger), source.path)
    if inner.read(0, 1) == b"\x80":
        ledger.claim("pickles", source.size)
        ledger.nested += 1
        try:
            ledger.note(f"packed with {packing}, as joblib does it", source.path)
            return _pickle(inner, ledger)
        finally:
            ledger.nested -= 1
    from keng.ckpt.formats import bundles

    if bundles.is_nemo(inner):
        ledger.claim("pickles", source.size)
        return content(inner, ledger)
    tried = Ledger(content)
    content(inner, tried)
    _heed(tried, ledger)
    raise Broken(f"a file packed with {packing}: unpack it first")


def _archive(source: Source, ledger: Ledger) -> tuple[Format, Any]:
    archive = Archive(source, ledger)
    kind = _kind_of_archive(archive.entries)
    try:
        return _from_archive(kind, archive)
    finally:
        if kind != "npz" and archive.arrays:
            ledger.trick("it can be loaded as arrays of NumPy as well", source.path)
        torch_zip.account(archive, kind not in NO_CHECKPOINTS)


def _from_archive(kind: str, archive: Archive) -> tuple[Format, Any]:
    if kind == "zip":
        return "zip", torch_zip.read(archive, archive.ledger)
    from keng.ckpt.formats import archives

    if kind == "torchscript":
        return "torchscript", archives.torchscript(archive)
    if kind == "export":
        return "export", archives.export(archive)
    if kind == "npz":
        return "npz", archives.npz(archive)
    if kind in ("keras", "mar", "package"):
        return _from_others(kind, archive)
    archive.ledger.broken(NO_CHECKPOINTS[kind], archive.source.path)
    return "unknown", None


def _from_others(kind: str, archive: Archive) -> tuple[Format, Any]:
    if kind == "keras":
        from keng.ckpt.formats import keras

        return "keras", keras.archive(archive)
    from keng.ckpt.formats import bundles

    if kind == "mar":
        return "mar", bundles.mar(archive)
    return "package", bundles.package(archive, torch_zip.root_of(archive.entries))


def _kind_of_archive(names: Collection[str]) -> str:
    """By the names of its entries. What torch.load would read comes first, whatever else is there."""
    folder = torch_zip.root_of(names)
    if folder and folder + "constants.pkl" in names:
        return "torchscript"
    if folder and folder + torch_zip.PICKLE in names:
        return "zip"
    if folder + "archive_format" in names or "serialized_exported_program.json" in names:
        return "export"
    if any(name.endswith("/constants.pkl") for name in names):
        return "torchscript"
    if any(name.endswith("/data.pkl") for name in names):
        return "zip"
    if any(name.endswith("/.data/extern_modules") for name in names):
        return "package"
    if "MAR-INF/MANIFEST.json" in names:
        return "mar"
    if {"config.json", "metadata.json"} <= set(names):
        return "keras"
    if any(name.endswith("/.data/serialization_id") for name in names):
        return "unwritten"
    if names and all(name.endswith(".npy") for name in names):
        return "npz"
    return ""


def other_readings(kind: Format, source: Source, ledger: Ledger) -> None:
    """A file may begin as one kind does, and act where it is loaded as another: as a zip archive, which is
    found by its end, as a tar archive, which old torch tries first, or as pickles."""
    from keng.ckpt.formats import tar

    if kind != "zip" and detect.ends_as_zip(source):
        ledger.trick("a zip archive stands behind what is loaded first", source.path)
        tried = Ledger(content)
        with suppress(Broken):
            _archive(source, tried)
        _heed(tried, ledger)
    if kind not in ("tar", "nemo") and tar.looks_like_tar(source):
        ledger.trick("it can be loaded as a tar archive as well", source.path)
        tried = Ledger(content)
        with suppress(Broken):
            tar.read(source, tried)
        _heed(tried, ledger)
    if kind in ("tar", "nemo", "safetensors", "hdf5"):
        _pickles_as_well(source, ledger)


def _heed(tried: Ledger, ledger: Ledger) -> None:
    """Takes over the names of another reading."""
    ledger.imports.update(tried.imports)
    ledger.calls += tried.calls


def _pickles_as_well(source: Source, ledger: Ledger, most: int = PICKLES) -> None:
    """Reads the file as pickles that follow each other, as torch.load did before 1.6."""
    tried, known, sure = Ledger(content), set(ledger.imports), True
    with source.mapped() as data:
        at, stop = source.base, source.base + source.size
        try:
            for _ in range(most):
                machine = Machine(data, tried, source.path, any_persistent, at, stop)
                machine.run()
                at = machine.at
            sure = most < PICKLES
        except Broken as broken:
            sure = broken.everywhere
    named = [name for name in tried.imports if name not in known and name.module != EXTENSION]
    if named or (tried.calls and not known) or not sure:
        ledger.trick("it can be loaded as a pickle as well", source.path)
        _heed(tried, ledger)


def _pickle(source: Source, ledger: Ledger) -> tuple[Format, Any]:
    """The legacy format begins with a pickle that holds nothing but a number."""
    from keng.ckpt.formats import legacy

    with source.mapped() as data:
        stop = source.base + source.size
        machine = Machine(data, ledger, source.path, at=source.base, stop=stop, source=source)
        try:
            first = machine.run()
        except Broken as broken:
            if _is_joblib(ledger):
                _pickles_as_well(source, ledger, most=1)
            if source.read(0, 1) == b"\x80":
                raise
            ledger.broken(str(broken) if ledger.imports else "nothing that keng knows", source.path)
            return "unknown" if broken.everywhere else "pickle", None
        ledger.claim("pickles", machine.at - source.base)
        if _is_joblib(ledger):
            _pickles_as_well(source, ledger, most=1)
        if first == legacy.MAGIC and isinstance(first, int):
            return "legacy", legacy.read(data, source, ledger, machine.at)
        _more(data, source, ledger, machine.at)
    if _is_joblib(ledger):
        ledger.note("a file of joblib: joblib.load reads it, torch.load does not", source.path)
    return "pickle", first


def _is_joblib(ledger: Ledger) -> bool:
    return any(name.full in WRAPPERS for name in ledger.imports)


def _more(data: Any, source: Source, ledger: Ledger, at: int) -> None:
    """What follows a pickle is another one, which only some programs load."""
    stop = source.base + source.size
    if at >= stop:
        return
    ledger.trick(f"{stop - at} bytes follow the pickle", source.path)
    ledger.claim("unread", stop - at)
    machine = Machine(data, ledger, source.path, any_persistent, at, stop)
    for _ in range(PICKLES):
        try:
            machine.run()
        except Broken:
            return
