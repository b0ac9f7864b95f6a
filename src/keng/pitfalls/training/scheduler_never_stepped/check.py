"""Source code: a scheduler is made and no path of the program steps it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code
from keng.source.objects import Uses
from keng.source.tree import LOOPS, Tree
from keng.tables.torch_names import SCHEDULERS

HOME = "torch.optim.lr_scheduler"
ONLY_READS = frozenset(
    """
    state_dict load_state_dict get_last_lr get_lr last_epoch base_lrs optimizer print_lr num_bad_epochs best
    """.split()
)
"""What is read of a scheduler without a step."""


@finds(mentions=[HOME, *(f"{HOME}.{name}" for name in SCHEDULERS)])
def never_stepped(code: Code) -> Hits:
    if code.names.uses_framework():
        return
    for made, optimizer in _made_for(code):
        uses = code.objects.uses(made)
        if uses.escapes or uses.attributes - ONLY_READS:
            continue
        if _steps_in_a_loop(code, code.objects.uses(optimizer)):
            name = code.tree.target_of(made) or ast.unparse(made.func)
            optimized = code.tree.target_of(optimizer)
            yield code.hit(made, say("created-never-stepped", scheduler=name, optimizer=optimized))


def _made_for(code: Code) -> Iterator[tuple[ast.Call, ast.Call]]:
    """The schedulers of a file, each with the call of this file that made its optimizer."""
    for made in code.calls.calls_to(*(f"{HOME}.{name}" for name in SCHEDULERS)):
        given = code.calls.argument(made, "optimizer", 0)
        optimizer = code.types.value_of(given).call if given is not None else None
        if optimizer is not None and optimizer in code.tree.parent:
            yield made, optimizer


def _steps_in_a_loop(code: Code, optimizer: Uses) -> bool:
    return any(
        read.attribute == "step" and _is_repeated(code, read.tree, read.node)
        for read in optimizer.reads
    )


def _is_repeated(code: Code, tree: Tree, node: ast.AST) -> bool:
    """Whether a loop is around a node or around a call of its function."""
    if tree.enclosing(node, *LOOPS) is not None:
        return True
    function = tree.enclosing_function(node)
    callers = code.types.of(tree).callers(function) if function is not None else ()
    return any(home.enclosing(call, *LOOPS) is not None for home, call in callers)
