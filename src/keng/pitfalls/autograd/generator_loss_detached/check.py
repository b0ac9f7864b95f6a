"""Source code: a term of a generator's loss is computed from a detached sample."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import chain
from textwrap import shorten

from keng.model import Hits, say
from keng.pitfalls.autograd._shared_flow import DETACHED, steps_on_nothing
from keng.rules import finds
from keng.source import Act, Code, Grad, Kind
from keng.source.tree import part_at

FARTHEST = 12
"""Names from a loss back to the networks."""


@finds(mentions=["detach"])
def judged_without_graph(code: Code) -> Hits:
    for backward in code.calls.method_calls("backward"):
        stepped = _stepped_behind(code, backward)
        loss = code.tree.receiver(backward)
        if stepped is None or not isinstance(loss, ast.Name):
            continue
        optimizer, model = stepped
        for term in _terms(code, loss):
            reached, cut = set[str](), list[ast.Call]()
            _follow(code, term, reached, cut, FARTHEST)
            used = reached - {model}
            if model in reached or not used or not any(_made_by(code, c, model) for c in cut):
                continue
            text = shorten(code.text_of(term), 50, placeholder=" ...")
            says = say(
                "no-gradient-reaches",
                term=text,
                model=model,
                detached=code.text_of(cut[0]),
                optimizer=optimizer,
            )
            yield code.hit(term, says)


@finds(mentions=["detach"])
def optimized_and_only_detached(code: Code) -> Hits:
    """`x = encoder(feats.detach())`, where an optimizer steps the network that made `feats`."""
    for call in code.calls.method_calls("detach"):
        name = code.tree.receiver(call)
        made = code.flow.assigned_value(name) if isinstance(name, ast.Name) else None
        if not isinstance(name, ast.Name) or not isinstance(made, ast.Call):
            continue
        if not isinstance(code.tree.parent[call], ast.Call) or code.modes.grad_at(call) is Grad.OFF:
            continue
        network = ast.unparse(made.func)
        optimizer = _optimizer_of(code, network)
        if optimizer and _only_detached(code, name) and _called_once(code, network):
            says = say("only-detached", name=name.id, network=network, optimizer=optimizer)
            yield code.hit(call, says)


@finds(mentions=["backward"])
def trained_on_detached(code: Code) -> Hits:
    """An optimizer whose losses all come from detached outputs, in whatever functions they are made."""
    yield from steps_on_nothing(
        code, DETACHED, chain(judged_without_graph(code), optimized_and_only_detached(code))
    )


def _optimizer_of(code: Code, network: str) -> str:
    """What a file makes of the parameters of a network alone and calls an optimizer."""
    for call in code.calls.method_calls("parameters"):
        above = code.tree.parent[call]
        if ast.unparse(code.tree.receiver(call)) == network and isinstance(above, ast.Call):
            target = code.tree.target_of(above)
            if "opt" in target.lower():
                return target
    return ""


def _only_detached(code: Code, name: ast.Name) -> bool:
    """Whether all that is read of a value is its detached copy, or its sizes."""
    found = code.flow.reaching_definitions(name)
    reads = code.flow.reads_of(found[0].node) if isinstance(found[0].node, ast.Name) else []
    return bool(reads) and all(
        isinstance(above := code.tree.parent[read], ast.Attribute)
        and above.attr in ("detach", "shape", "size", "device", "dtype")
        for read in reads
    )


def _called_once(code: Code, network: str) -> bool:
    """Whether one place alone calls a network: another may give it its gradients."""
    last = network.rpartition(".")[2]
    named = [c for c in code.calls.calls_named(last) if ast.unparse(c.func) == network]
    return len(named) == 1


def _stepped_behind(code: Code, backward: ast.Call) -> tuple[str, str] | None:
    """The optimizer that steps next behind a backward in its block, and the one network that it holds."""
    statement = code.statement(backward)
    _, behind = code.flow.siblings(statement, code.tree.parent[statement])
    for later in behind:
        for call in code.below(later, ast.Call):
            if code.loops.act_of(call) is Act.STEP and isinstance(call.func, ast.Attribute):
                made = code.types.value_of(call.func.value).call
                held = made.args[0] if made is not None and made.args else None
                match held:
                    case ast.Call(func=ast.Attribute(attr="parameters", value=network)):
                        return code.text_of(call.func.value), ast.unparse(network)
                return None
    return None


def _terms(code: Code, loss: ast.expr, depth: int = 3) -> Iterator[ast.expr]:
    """What a loss is the sum of, with its weights."""
    value = code.flow.assigned_value(loss) if isinstance(loss, ast.Name) else loss
    if isinstance(value, ast.BinOp) and isinstance(value.op, (ast.Add, ast.Sub)) and depth:
        yield from _terms(code, value.left, depth - 1)
        yield from _terms(code, value.right, depth - 1)
    elif isinstance(loss, ast.Name) and isinstance(value, ast.BinOp) and depth:
        yield from _terms(code, value, depth - 1)
    else:
        yield loss


def _follow(code: Code, node: ast.AST, reached: set[str], cut: list[ast.Call], depth: int) -> None:
    """Collects the networks that a gradient of a value reaches, as text, and the calls of `detach` that
    cut its way."""
    if isinstance(node, ast.Call) and code.calls.attribute_name(node.func) == "detach":
        cut.append(node)
        return
    if isinstance(node, ast.Call) and code.types.kind_of(node.func) is Kind.MODULE:
        reached.add(ast.unparse(node.func))
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and depth:
        for binding in code.flow.reaching_definitions(node):
            if binding.how in ("assign", "augment") and binding.value is not None:
                _follow(
                    code,
                    part_at(binding.value, binding.path) or binding.value,
                    reached,
                    cut,
                    depth - 1,
                )
        return
    for part in ast.iter_child_nodes(node):
        _follow(code, part, reached, cut, depth)


def _made_by(code: Code, detach: ast.Call, model: str) -> bool:
    """Whether what is detached was made by a network."""
    reached = set[str]()
    given = detach.func.value if isinstance(detach.func, ast.Attribute) else detach
    _follow(code, given, reached, [], FARTHEST)
    return model in reached
