"""Whether anything in the user's own files could write to a module's parameters, beside an optimizer."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Span
from keng.run.lines import user_trees

WRITES = {
    "copy_", "lerp_", "mul_", "add_", "set_", "vector_to_parameters", "swap_tensors", "update_parameters",
    "_foreach_lerp_", "_foreach_mul_", "_foreach_add_", "_foreach_copy_", "load_state_dict", "deepcopy",
}  # fmt: skip
READS = {"print", "len", "list", "id", "isinstance", "sum", "next", "iter", "Adam", "AdamW", "SGD"}
MEMORY = {"data", "weight", "bias"}
LISTS = {"parameters", "named_parameters"}
LOOPS = (ast.For, ast.AsyncFor, ast.While)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def may_be_written(name: str) -> bool:
    """Whether what runs again and again writes to some tensor in place, makes a copy, or hands the module
    of that name to a function. What stands in `__init__` or at the top of a file is done once."""
    again = [each for _, tree in user_trees() for each in _again(tree)]
    return any(_writes(node, name) for each in again for node in ast.walk(each))


def bound_anew(name: str) -> Span | None:
    """The line in a loop over the parameters of a module of that name that binds the loop's own variable
    to a new tensor, made of another one that the loop has: `slow = 0.99 * slow + 0.01 * fast`. That
    writes nowhere."""
    for path, tree in user_trees():
        for loop in ast.walk(tree):
            if isinstance(loop, ast.For) and _goes_over(loop.iter, name):
                for node in ast.walk(loop):
                    if isinstance(node, ast.Assign) and _is_made_of_another(node, loop):
                        return Span(path, node.lineno)
    return None


def _again(tree: ast.AST) -> Iterator[ast.AST]:
    """Loops, and functions other than constructors."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, LOOPS) or (isinstance(node, FUNCTIONS) and node.name != "__init__"):
            yield node
        else:
            yield from _again(node)


def _writes(node: ast.AST, name: str) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(attr=called)) | ast.Call(func=ast.Name(id=called)):
            given = (each for each in node.args if isinstance(each, (ast.Name, ast.Attribute)))
            return called in WRITES or (called not in READS and any(_is(e, name) for e in given))
        case ast.Assign(targets=[ast.Attribute(attr=set_to)]):
            return set_to in MEMORY
        case ast.AugAssign(target=ast.Attribute(attr=added_to)):
            return added_to in MEMORY
        case ast.For():
            added = (each.target for each in ast.walk(node) if isinstance(each, ast.AugAssign))
            return _goes_over(node.iter) and any(_is_own(target, node) for target in added)
    return False


def _is_own(target: ast.AST, loop: ast.For) -> bool:
    """Whether a name is the loop's own variable."""
    own = {node.id for node in ast.walk(loop.target) if isinstance(node, ast.Name)}
    return isinstance(target, ast.Name) and target.id in own


def _is_made_of_another(node: ast.Assign, loop: ast.For) -> bool:
    """Whether the loop's own variable is bound, to what another of its variables goes into."""
    target = node.targets[0]
    if not isinstance(target, ast.Name) or not _is_own(target, loop):
        return False
    used = (each for each in ast.walk(node.value) if isinstance(each, ast.Name))
    return any(each.id != target.id and _is_own(each, loop) for each in used)


def _goes_over(node: ast.AST, name: str = "") -> bool:
    """Whether these are parameters, of a module of that name."""
    return any(
        isinstance(each, ast.Call)
        and isinstance(each.func, ast.Attribute)
        and each.func.attr in LISTS
        and (not name or _is(each.func.value, name))
        for each in ast.walk(node)
    )


def _is(node: ast.AST, name: str) -> bool:
    """By the last word of it: `self.target` in one place is `agent.target` in another."""
    last = name.rpartition(".")[2]
    return last == (node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", ""))
