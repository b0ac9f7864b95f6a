"""What the run.py of several pitfalls of device share."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from keng.run.user_code import class_of

if TYPE_CHECKING:
    from torch.nn import Module


def mentions(module: Module, words: frozenset[str]) -> bool:
    """Whether the class of a module, or of one of its parts, has one of these names in its source."""
    kinds: set[type] = {type(part) for part in module.modules()}
    for found in map(class_of, kinds):
        if found is not None:
            code, owner = found
            nodes = code.below(owner, ast.Name, ast.Attribute)
            if any(getattr(node, "attr", getattr(node, "id", "")) in words for node in nodes):
                return True
    return False
