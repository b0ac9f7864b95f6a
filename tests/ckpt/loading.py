"""A process that loads files with the official loaders and reports what they do: for each path on the
standard input a line of JSON, a list of what happened. Nothing is done: an audit hook stops every import by a
pickle that keng does not know, every process and connection, and the payload of an expression, in a child of
its own for each file.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import pickle
import resource
import signal
import sys
import warnings
from _compat_pickle import IMPORT_MAPPING, NAME_MAPPING
from collections.abc import Callable
from typing import Any

from keng.ckpt.nodes import Global
from keng.ckpt.pickle.names import LOADER, judged

STOPPED = (
    *(
        "os.system",
        "os.exec",
        "os.posix_spawn",
        "os.spawn",
        "os.fork",
        "os.kill",
        "subprocess.Popen",
    ),
    *("socket.connect", "socket.bind", "pty.", "ftplib.", "urllib.", "smtplib.", "webbrowser."),
)
SECONDS, MEMORY = 20, 4 << 30
MARKER = "keng-acted"


def _pickles(path: str) -> None:
    with open(path, "rb") as file:
        for _ in range(8):
            pickle.load(file)


def _numpy(path: str) -> None:
    import numpy

    found = numpy.load(path, allow_pickle=True)
    for name in getattr(found, "files", ()):
        with contextlib.suppress(Exception):
            found[name]


def _joblib(path: str) -> None:
    import joblib

    joblib.load(path)


def _torch(safe: bool) -> Callable[[str], None]:
    def load(path: str) -> None:
        import torch

        torch.load(path, weights_only=safe)

    return load


def _script(path: str) -> None:
    import torch

    torch.jit.load(path)(torch.ones(2))


def _export(path: str) -> None:
    import torch

    torch.export.load(path).module()(torch.ones(5, 3))


LOADERS = (_torch(False), _torch(True), _script, _export, _numpy, _joblib, _pickles)
"""`tarfile`, `zipfile` and `safetensors` are asked by these."""


def _hook(events: list[str]) -> Callable[[str, tuple[Any, ...]], None]:
    def stop(says: str) -> None:
        events.append(says)
        raise PermissionError(says)

    def hook(event: str, args: tuple[Any, ...]) -> None:
        if event.startswith(STOPPED):
            stop(event)
        if event == "pickle.find_class" and not _is_known(*args):
            stop(f"imports {args[0]}.{args[1]}")
        if event == "compile" and args[0] and MARKER in str(args[0]):
            stop("evaluates an expression")

    return hook


def _is_known(module: str, name: str) -> bool:
    module, name = NAME_MAPPING.get((module, name), (module, name))  # of Python 2
    if module.startswith("\0"):
        return True  # a safetensors header whose length reads as an opcode: nothing has such a name
    found = Global(IMPORT_MAPPING.get(module, module), name)
    return found == LOADER or judged(found) == "known" or module.startswith("__torch__")


def _load(path: str, out: int) -> None:
    """Runs in a child, which ends here."""
    events: list[str] = []
    try:
        os.chdir(os.path.dirname(path))
        signal.alarm(SECONDS)
        resource.setrlimit(
            resource.RLIMIT_DATA, (MEMORY, MEMORY)
        )  # nine bytes may ask for all of it
        sys.addaudithook(_hook(events))
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for loader in LOADERS:
                with contextlib.suppress(Exception):
                    loader(path)
    finally:
        if os.path.exists(MARKER):
            events.append("writes a file")
        with contextlib.suppress(BaseException):
            os.write(out, json.dumps(sorted(set(events)))[:60_000].encode())
        os._exit(0)


def main() -> None:
    import joblib
    import numpy
    import torch
    import torch.export.pt2_archive

    del joblib, numpy
    torch.set_num_threads(1)
    for line in sys.stdin:
        reader, writer = os.pipe()
        child = os.fork()
        if not child:
            _load(line.strip(), writer)
        os.close(writer)
        with open(reader, "rb") as pipe:
            said = pipe.read()
        os.waitpid(child, 0)
        print((said or b"[]").decode(), flush=True)


if __name__ == "__main__":
    main()
