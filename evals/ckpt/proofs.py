"""Runs the official loaders on hostile files, each in a forked child in a scratch folder, and reports
which of them created the marker."""

from __future__ import annotations

import contextlib
import io
import os
import pickle
import tempfile
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path

from containers import MARKER, Hostile

SECONDS = 60


def _torch(path: str) -> None:
    import torch

    torch.load(path, weights_only=False)


def _jit(path: str) -> None:
    import torch

    torch.jit.load(path)


def _jit_call(path: str) -> None:
    import torch

    torch.jit.load(path)(torch.ones(2))


def _export(path: str) -> None:
    import torch

    torch.export.load(path)


def _export_module(path: str) -> None:
    import torch

    torch.export.load(path).module()(torch.ones(5, 3))


def _numpy(path: str) -> None:
    import numpy

    found = numpy.load(path, allow_pickle=True)
    for name in getattr(found, "files", ()):
        with contextlib.suppress(ValueError):
            found[name]


def _joblib(path: str) -> None:
    import joblib

    joblib.load(path)


def _pickle(path: str) -> None:
    with open(path, "rb") as file:
        pickle.load(file)


def _pickles(path: str) -> None:
    with open(path, "rb") as file:
        while True:
            pickle.load(file)


def _package(path: str) -> None:
    import torch.package

    torch.package.PackageImporter(path).load_pickle("model", "model.pkl")


def _template(path: str) -> None:
    """As llama-cpp-python rendered a template before 0.2.72: outside of Jinja's sandbox."""
    import jinja2

    from keng.ckpt.reading import read_checkpoint

    metadata = read_checkpoint(path).root.get("metadata")
    jinja2.Environment().from_string(metadata.get("tokenizer.chat_template")).render(messages=[])


LOADERS: dict[str, Callable[[str], None]] = {
    "torch": _torch,
    "jit": _jit,
    "jit-call": _jit_call,
    "export": _export,
    "export-module": _export_module,
    "numpy": _numpy,
    "joblib": _joblib,
    "pickle": _pickle,
    "pickles": _pickles,
    "package": _package,
    "template": _template,
}


def acts(files: Iterable[Hostile]) -> dict[str, bool]:
    """Whether loading each file creates the marker; of those that name a loader."""
    import joblib
    import numpy
    import torch

    torch.set_num_threads(1)
    del joblib, numpy
    return {each.file: _acts(each) for each in files if each.loader}


def _acts(hostile: Hostile) -> bool:
    with tempfile.TemporaryDirectory(prefix="keng-proof-") as folder:
        path = Path(folder, hostile.file)
        path.write_bytes(hostile.data)
        child = os.fork()
        if not child:
            _load(hostile.loader, folder, path.name)
        os.waitpid(child, 0)
        return Path(folder, MARKER).exists()


def _load(loader: str, folder: str, name: str) -> None:
    """Never returns."""
    import signal

    try:
        os.chdir(folder)
        signal.alarm(SECONDS)
        with contextlib.redirect_stderr(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            LOADERS[loader](name)
    except BaseException as error:
        if os.environ.get("KENG_PROOFS"):
            print(name, type(error).__name__, str(error)[:300], flush=True)
    finally:
        os._exit(0)
