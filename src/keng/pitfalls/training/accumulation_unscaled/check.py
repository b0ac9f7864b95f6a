"""Source code: gradients of several batches are added up, and not divided."""

from __future__ import annotations

import ast
from functools import partial

from keng.model import Fix, Hits, say
from keng.pitfalls.training._shared import MICRO
from keng.rules import finds
from keng.source import Act, Code, Kind, Loop, Step


@finds(fixes=True)
def added_and_not_divided(code: Code) -> Hits:
    by_itself = not code.names.uses_framework() and not code.names.imports("accelerate.")
    for loop in code.loops.training if by_itself else ():
        rounds = _accumulates(code, loop)
        for backward in loop.all(Act.BACKWARD) if rounds is not None else ():
            loss = _undivided(code, backward)
            if rounds is None or loss is None:
                continue
            times = code.text_of(rounds)
            text = f"{loss.id} / {code.edits.parenthesized(rounds)}"
            edit = code.edits.replace(
                loss, text if code.edits.needs_no_parentheses(loss) else f"({text})"
            )
            fix = Fix(say("divide-loss"), (edit,))
            says = say("gradients-batches-added-up", times=times, loss=loss.id)
            yield code.hit(backward.call, says, fix=fix)


def _accumulates(code: Code, loop: Loop) -> ast.expr | None:
    """How many rounds of a loop one optimizer step is taken for: `k` where all steps and all
    clearing of gradients stand under `if (i + 1) % k == 0`, or behind a loop over as many."""
    if (count := _rounds_inside(code, loop)) is not None:
        return count
    acts = [s for s in loop.steps if s.act in (Act.STEP, Act.ZERO_GRAD)]
    tests = {_test_of(code, s.reached_by, loop) for s in acts}
    test = tests.pop() if len(tests) == 1 else None
    if test is None or not loop.has(Act.ZERO_GRAD) or loop.has(Act.UNKNOWN):
        return None
    for node in ast.walk(test.test):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
            inner = [n for n in ast.walk(test) if isinstance(n, (ast.Attribute, ast.Name))]
            by_hand = any(getattr(n, "attr", getattr(n, "id", "")) == "grad" for n in inner)
            divided = any(isinstance(n, ast.AugAssign) for n in ast.walk(test))
            return None if by_hand and divided else node.right
    return None


def _rounds_inside(code: Code, loop: Loop) -> ast.expr | None:
    """How many rounds of a loop inside go backward and take no step: a number that its name calls one
    of micro-batches or of accumulation."""
    for inner in code.below(loop.node, ast.For):
        match inner.iter:
            case ast.Call(func=ast.Name(id="range"), args=[count]):
                if MICRO.search(ast.unparse(count)) and _only_goes_backward(code, loop, inner):
                    return count
    return None


def _only_goes_backward(code: Code, loop: Loop, inner: ast.For) -> bool:
    """Whether a loop inside another goes backward, and neither steps nor clears gradients."""

    def does(act: Act) -> bool:
        return any(code.within(step.reached_by, inner) for step in loop.all(act))

    return does(Act.BACKWARD) and not any(map(does, (Act.STEP, Act.ZERO_GRAD, Act.UNKNOWN)))


def _test_of(code: Code, node: ast.AST, loop: Loop) -> ast.If | None:
    """The `if` of a loop's own body that a node is under."""
    for above in code.tree.ancestors(node):
        if isinstance(above, ast.If) and code.tree.parent.get(above) is loop.node:
            return above
    return None


def _undivided(code: Code, step: Step) -> ast.Name | None:
    """The name that backward is called on, where it is a mean that was never divided."""
    call = step.call
    if not isinstance(call, ast.Call) or step.reached_by is not call:
        return None
    named = code.graph.backward_losses(call)
    whole = call.func.value if isinstance(call.func, ast.Attribute) else None
    if isinstance(whole, ast.Call) and whole.args:
        whole = whole.args[0]
    if len(named) != 1 or named[0] is not whole or code.tree.is_conditional(call):
        return None
    return named[0] if _a_mean(code, named[0]) else None


def _a_mean(code: Code, name: ast.Name) -> bool:
    """Whether a name is known to hold a mean loss of torch, as it came."""
    ways = code.flow.reaching_definitions(name)
    if not ways or any(b.how != "assign" for b in ways):
        return False
    if any(b.path for b in ways):
        made = [o.call for o in code.origins.origins(name) if o.kind is not Kind.OTHER]
        return bool(made) and all(map(partial(_mean_loss, code), made))
    return all(isinstance(b.value, ast.Call) and _mean_loss(code, b.value) for b in ways)


def _mean_loss(code: Code, call: ast.Call | None) -> bool:
    if call is None or call not in code.tree.parent:
        return False
    made = code.types.value_of(call)
    if not code.graph.is_scalar(call) or made.call is None:
        return False
    if made.dotted in ("torch.Tensor.mean", "torch.mean"):
        return True
    maker = code.types.value_of(call.func).call or call
    choices = [k for c in {call, maker} for k in c.keywords if k.arg in ("reduction", "reduce")]
    return made.dotted.startswith("torch.nn.") and not choices
