"""Source code: a run is resumed from a checkpoint without the optimizer's state."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code, Kind

RESUMED = {"epoch", "start_epoch", "step", "global_step", "iter", "iteration", "it"}
SHOWS = {"print", "format", "info", "debug", "warning", "write"}
"""Functions that put a value into a text."""


@finds(mentions=["torch.save"])
def resumed_without_the_optimizer(code: Code) -> Hits:
    saves = list(code.states.saves())
    optimizers = list(_carrying_optimizers(code)) if saves else []
    if any(_saves_state_of(code, entries, Kind.OPTIMIZER) for _, entries in saves):
        return  # the run resumes from that file; others keep the best weights
    for save, _ in saves if optimizers else ():
        counted = _resumes_from(code, save) & RESUMED
        if not counted or "" in _saved_keys(code, save):
            continue
        kind = code.text_of(optimizers[0].func).rpartition(".")[2]
        key = min(counted)
        yield code.hit(save, say("run-goes-on-from", key=key, kind=kind))


@finds(mentions=["torch.save"])
def optimizer_left_in_the_file(code: Code) -> Hits:
    saves = list(code.states.saves())
    for save, _ in saves if saves and any(_carrying_optimizers(code)) else ():
        counted = sorted(_resumes_from(code, save) & RESUMED)
        for load, entry in _optimizers_left_behind(code, save) if counted else ():
            yield code.hit(load, say("never-read", counter=counted[0], entry=entry))


@finds(mentions=["state_dict"])
def one_of_two_optimizers(code: Code) -> Hits:
    """A trainer that steps `self.optim` and `self.discr_optim` and saves the state of one."""
    for save in code.calls.calls_to("torch.save"):
        function = code.tree.enclosing_function(save)
        owner = code.tree.parent[function] if function is not None else None
        if function is None or not isinstance(owner, ast.ClassDef):
            continue
        saved = {*_called_on_self(code, function, "state_dict")}
        stepped = {*_called_on_self(code, owner, "step")} & {
            *_called_on_self(code, owner, "zero_grad")
        }
        left = sorted(name for name in stepped - saved if "optim" in name)
        kept = sorted(name for name in stepped & saved if "optim" in name)
        if left and kept and not any(name.endswith(("_old", "_tmp")) for name in left):
            says = say("one-optimizer-saved", kept=kept[0], left=left[0])
            yield code.hit(save, says, once=True)


def _called_on_self(code: Code, block: ast.AST, method: str) -> Iterator[str]:
    """The attributes of `self` on which a method is called below a node."""
    for call in code.below(block, ast.Call):
        match call.func:
            case ast.Attribute(
                attr=name, value=ast.Attribute(attr=holder, value=ast.Name(id="self"))
            ) if name == method:
                yield holder


def _resumes_from(code: Code, save: ast.Call) -> set[str]:
    """The keys of checkpoints that this file reads outside of a `load_state_dict`: "epoch"."""
    loads = {code.tree.target_of(call) for call in code.calls.calls_to("torch.load")} - {""}
    return {
        code.flow.text_constant(node.slice)
        for node in code.of(ast.Subscript)
        if isinstance(node.ctx, ast.Load)
        and ast.unparse(node.value) in loads
        and _goes_on(code, node)
    } & _saved_keys(code, save)


def _goes_on(code: Code, value: ast.expr, depth: int = 2) -> bool:
    """Whether a run may continue from what was read: by itself or under a name it is given to a call, compared,
    kept by an object or returned. What is printed, or put into a dict, is a record."""
    above = code.tree.parent[value]
    while isinstance(above, (ast.BinOp, ast.IfExp, ast.Tuple)):
        above = code.tree.parent[above]
    match above:
        case ast.Call(func=function):
            return code.text_of(function).rpartition(".")[2] not in SHOWS
        case ast.Assign(targets=[ast.Name(id=name)]) if depth:
            uses = [n for n in code.tree.names_by_id[name] if isinstance(n.ctx, ast.Load)]
            return any(_goes_on(code, use, depth - 1) for use in uses)
    return not isinstance(above, (ast.FormattedValue, ast.Dict, ast.Expr))


def _optimizers_left_behind(code: Code, save: ast.Call) -> Iterator[tuple[ast.Call, str]]:
    """Where a file that holds an optimizer's state is loaded, and nothing but other entries of it is
    ever read: the torch.load, and the entry left."""
    given = code.calls.argument(save, "obj", position=0)
    made = given if isinstance(given, ast.Dict) else None
    left = (
        [
            code.flow.text_constant(key)
            for key, value in zip(made.keys, made.values, strict=True)
            if _saves_state_of(code, [value], Kind.OPTIMIZER)
        ]
        if made
        else []
    )
    for load in code.calls.calls_to("torch.load") if left else ():
        name = code.tree.target_of(load)
        uses = [n for n in code.tree.names_by_id.get(name, ()) if isinstance(n.ctx, ast.Load)]
        read = [code.tree.parent[use] for use in uses]
        keys = {
            code.flow.text_constant(r.slice) if isinstance(r, ast.Subscript) else "" for r in read
        }
        if read and not keys & {*left, ""}:
            yield load, left[0]


def _saved_keys(code: Code, save: ast.Call) -> set[str]:
    """The keys of the dict that torch.save is given; with "" where it has others."""
    given = code.calls.argument(save, "obj", position=0)
    if isinstance(given, ast.Name):
        ways = code.flow.reaching_definitions(given)
        given = ways[0].value if len(ways) == 1 and not ways[0].path else None
    if not isinstance(given, ast.Dict):
        return set()
    return {code.flow.text_constant(key) for key in given.keys}


def _saves_state_of(code: Code, entries: list[ast.expr], kind: Kind) -> bool:
    """Whether one of the saved values is, or may be, the state dict of a thing of this kind."""
    for entry in entries:
        owner = entry.func if isinstance(entry, ast.Call) else None
        known = (
            code.types.kind_of(owner.value) if isinstance(owner, ast.Attribute) else Kind.UNKNOWN
        )
        text = ast.unparse(entry).lower()
        if known is kind or (known is Kind.UNKNOWN and "opt" in text):
            return True
    return False


def _carrying_optimizers(code: Code) -> Iterator[ast.Call]:
    """Optimizers that have a memory of earlier steps: running averages or momentum."""
    for call in code.of(ast.Call):
        if code.names.resolve(call.func).startswith("torch.optim.") and code.loops.has_momentum(
            call
        ):
            memory = "SGD" not in code.names.resolve(call.func) or code.calls.argument(
                call, "momentum", 2
            )
            if memory:
                yield call
