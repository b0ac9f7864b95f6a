"""Error messages: a file was written by a newer PyTorch, or in a form for another loader."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains

OWN = ("aten", "prim", "quantized", "prims", "internal")
"""Where PyTorch keeps its own operators."""


@explains("newer-format")
def newer_format(failure: Failure) -> Hits:
    version = failure.groups["version"]
    wanted = "1.6 or later" if version == "3" else "the version that wrote it"
    yield failure.hit(
        f"the file has format {version} and this PyTorch is too old for it: update to {wanted}"
    )


@explains("zip-archive")
def zip_archive(failure: Failure) -> Hits:
    yield failure.hit(
        "the file is a zip archive of PyTorch 1.6 or later, or a scripted model: update, or torch.jit.load"
    )


@explains("taken-for-a-tar")
def taken_for_a_tar(failure: Failure) -> Hits:
    """At this place a file of the former kind, which loads all the same, has the class of its dictionary."""
    yield failure.hit(
        "a PyTorch of before 1.6 took the zip archive of a newer one for a tar archive: update PyTorch, or write the file again with "
        "_use_new_zipfile_serialization=False"
    )


@explains("newer-operator")
def newer_operator(failure: Failure) -> Hits:
    op, (of, dot, _) = failure.groups["op"], failure.groups["op"].partition(".")
    if dot and of not in OWN:
        yield failure.hit(
            f"the scripted model uses {op}, which {of} registers: import it before loading, or link it into the program"
        )
        return
    yield failure.hit(
        f"the scripted model uses what this PyTorch does not have ({op}): update it, or save with its version"
    )


@explains("newer-arguments")
def newer_arguments(failure: Failure) -> Hits:
    op, most, found = (failure.groups[name] for name in ("op", "most", "found"))
    if failure.kind.endswith("CppException") or failure.contains("code/__torch__"):
        yield failure.hit(
            f"the scripted model calls {op} with {found} arguments, and this PyTorch takes {most}: update it (in an app org.pytorch too), or save with its version"
        )


@explains("refused-in-cpp")
def refused_in_cpp(failure: Failure) -> Hits:
    yield failure.hit(
        "TorchScript could not compile the model that was loaded, and nothing caught what it says: catch it and print what(); an "
        "operator of a library that is not linked, or a model of a newer PyTorch"
    )
