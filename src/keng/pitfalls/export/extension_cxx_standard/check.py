"""Source code: an extension asks for an older C++ than PyTorch's headers are written in."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Fix, Hits, say
from keng.rules import finds
from keng.source import Code

BUILDERS = tuple(
    f"torch.utils.cpp_extension.{name}"
    for name in ("CppExtension", "CUDAExtension", "load", "load_inline", "SyclExtension")
)

STANDARDS = {"c++11": 11, "c++0x": 11, "c++14": 14, "c++1y": 14, "gnu++11": 11, "gnu++14": 14}


@finds(fixes=True, mentions=BUILDERS)
def older_than_the_headers(code: Code) -> Hits:
    for flag, standard in _build_flags(code):
        needed = 17 if code.torch_at_least("2.1") is not False else 14
        if STANDARDS.get(standard, 99) < needed and code.torch_at_least("1.5") is not False:
            fix = Fix(
                say("ask-c-needed", needed=needed),
                (code.edits.replace(flag, f'"-std=c++{needed}"'),),
            )
            yield code.hit(flag, say("headers-pytorch-need-c", needed=needed), fix=fix)


def _build_flags(code: Code) -> Iterator[tuple[ast.Constant, str]]:
    """The texts `-std=...` among the compiler's arguments of extensions, and the standard."""
    for call in code.calls.calls_to(*BUILDERS):
        for text in _arguments_of(code, call):
            if isinstance(text.value, str) and text.value.startswith(("-std=", "/std:")):
                yield text, text.value[5:].strip()


def _arguments_of(code: Code, call: ast.Call) -> Iterator[ast.Constant]:
    for keyword in call.keywords:
        node: ast.expr | None = keyword.value
        if isinstance(node, ast.Name):
            node = code.flow.assigned_value(node)
        yield from (n for n in ast.walk(node) if isinstance(n, ast.Constant)) if node else ()
