"""Error messages: a file is read by another function than the one it was written for."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.pitfalls.state.archive_of_another_kind._shared import PICKLED, READ
from keng.rules import explains


@explains("no-scripted-model")
def no_scripted_model(failure: Failure) -> Hits:
    yield failure.hit(
        "the archive holds no TorchScript model: torch.load reads what torch.save wrote; C++ and phones want torch.jit.script(model).save(path), from Python"
    )


@explains("no-exported-program")
def no_exported_program(failure: Failure) -> Hits:
    yield failure.hit(
        "the archive is no exported program or package: torch.export.load reads what torch.export.save wrote"
    )


@explains("pickled")
def pickled(failure: Failure) -> Hits:
    yield failure.hit(f"{PICKLED}: {READ}")


SEEK = "torch.load takes a path or an open file: what it is given was loaded already, or is a stream, io.BytesIO(stream.read())"


@explains("no-file")
def no_file(failure: Failure) -> Hits:
    kind = failure.groups["kind"] or ""
    if kind == "NoneType":
        yield failure.hit(
            "torch.load is given None: what looks for the file, or keeps its path, has none"
        )
    elif failure.kind.endswith("ModuleAttributeError"):
        yield failure.hit(
            f"torch.load takes the path first, and is given a {kind}, a model: torch.save(model, path), model = torch.load(path)"
        )
    else:
        yield failure.hit(SEEK)
