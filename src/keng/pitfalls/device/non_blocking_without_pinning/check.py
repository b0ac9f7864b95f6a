"""Source code: a copy that is not to block has no pinned memory, or is read too soon."""

from __future__ import annotations

import ast

from keng.model import Hits
from keng.rules import finds
from keng.source import Code


@finds(fixes=True)
def loader_that_does_not_pin(code: Code) -> Hits:
    for call in code.method_calls("to", "cuda"):
        given = code.receiver(call)
        if not code.non_blocking(call) or not isinstance(given, ast.Name):
            continue
        loader = code.loader_of(given)
        if loader is None or code.line_of(loader) is None or any(code.method_calls("pin_memory")):
            continue
        if code.argument(loader, "pin_memory", position=7) is None:
            fix = code.add_argument(loader, "pin_memory=True", "Pin the loader's batches")
            says = f"`{given.id}` comes from a loader without pin_memory, so its copy blocks"
            yield code.hit(call, says, fix=fix)


@finds
def read_before_it_is_there(code: Code) -> Hits:
    for call in code.method_calls("numpy", "tolist", "item"):
        copied = code.receiver(call)
        copy = code.copied_to_host(copied)
        if copy is None or not code.non_blocking(copy):
            continue
        if not code.waits_between(copy, call):
            name = code.text_of(copied)
            yield code.hit(
                call, f"`{name}` is read while its copy to the host may still be running"
            )
