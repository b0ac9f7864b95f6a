"""Error messages: torchScript meets a value of Python that it cannot take along."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("of-python")
def of_python(failure: Failure) -> Hits:
    yield failure.hit(
        f"a value of type `{failure.groups['kind']}` from outside of the function cannot be compiled: an argument, or an attribute with a type"
    )


@explains("not-defined")
def not_defined(failure: Failure) -> Hits:
    name = failure.groups["name"]
    if re.search(rf"\b{name} = ", failure.message):
        yield failure.hit(
            f"`{name}` has a value on some ways only: give it one before the loop or branch"
        )
        return
    yield failure.hit(
        f"`{name}` is not known where the function is compiled: import or define it in the same file, or hand it over"
    )


@explains("without-source")
def without_source(failure: Failure) -> Hits:
    yield failure.hit(
        "the function has no source that TorchScript could read: a .py file beside the program, not exec or a frozen file; or trace"
    )


@explains("attribute-without-type")
def attribute_without_type(failure: Failure) -> Hits:
    name, kind = failure.groups["name"], failure.groups["kind"]
    yield failure.hit(
        f"`self.{name}`, a {kind}, is not kept by the compiler: annotate it in the class, list it in __constants__, or make it a buffer"
    )


@explains("neither-module-nor-function")
def neither_module_nor_function(failure: Failure) -> Hits:
    yield failure.hit(
        "an object of a plain class is neither function nor module: torch.jit takes an nn.Module, or the function itself"
    )
