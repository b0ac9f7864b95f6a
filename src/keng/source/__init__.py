"""One parsed program and the questions a finder may ask: names, scopes, kinds, calls, loops, contexts."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from keng.source.code import Code, Project
    from keng.source.loops import Act, Loop, Step
    from keng.source.modes import Grad
    from keng.source.tree import Definition
    from keng.source.types.kinds import Kind, Value

__all__ = ["Act", "Code", "Definition", "Grad", "Kind", "Loop", "Project", "Step", "Value"]

HOMES = {
    "Code": "code",
    "Grad": "modes",
    **dict.fromkeys(("Act", "Loop", "Step"), "loops"),
    "Definition": "tree",
    "Project": "code",
    **dict.fromkeys(("Kind", "Value"), "types.kinds"),
}


def __getattr__(name: str) -> object:
    # To explain an error takes no parsed program: what is not asked for is not imported.
    if name not in HOMES:
        raise AttributeError(f"module 'keng.source' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"keng.source.{HOMES[name]}"), name)
