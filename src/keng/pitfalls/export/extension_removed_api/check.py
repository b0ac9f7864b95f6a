"""Source code: an extension in C++ or CUDA uses what PyTorch no longer has."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code
from keng.tables.removed_cxx_symbols import HEADERS, TOLD


@finds(fixes=True)
def gone_name(code: Code) -> Hits:
    defined = code.macros()
    for _, _, token in code.native_names():
        old = TOLD.get(token.text)
        if old is not None and token.text not in defined:
            says = f"`{token.text}` {old.what}; now it is {old.new}"
            yield code.native_hit(token.start, token.end, says, old.written, sure=old.gone)


@finds(fixes=True)
def gone_header(code: Code) -> Hits:
    for header, start, end in code.included():
        if header.startswith(("THC/", "TH/")):
            now = HEADERS.get(header, "a header of ATen")
            says = f"`{header}` is gone from PyTorch since 1.11: {now.removeprefix('= ')} has its place"
            new = now[2:] if now.startswith("= ") else ""
            yield code.native_hit(start, end, says, new)


@finds(fixes=True)
def type_in_place_of_scalar_type(code: Code) -> Hits:
    for token in code.types_dispatched():
        says = "the macro wants a scalar type: scalar_type()"
        yield code.native_hit(token.start, token.end, says, "scalar_type")


@finds(fixes=True)
def typed_data(code: Code) -> Hits:
    for token in code.typed_data():
        says = "`data<T>()` of a tensor is outdated: it is data_ptr<T>() now"
        yield code.native_hit(token.start, token.end, says, "data_ptr")
