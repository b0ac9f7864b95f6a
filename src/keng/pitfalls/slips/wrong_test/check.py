"""Source code: a test asks something else than it says, and always has the same answer or the opposite one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from keng.model import Fix, Hits, say
from keng.rules import finds
from keng.source import Act, Code, Kind
from keng.source.tree import FUNCTIONS

ASKED_BY_CALL = frozenset(
    {
        "torch.cuda.is_available",
        "torch.cuda.is_initialized",
        "torch.distributed.is_available",
        "torch.distributed.is_initialized",
        "torch.is_grad_enabled",
        "torch.backends.mps.is_available",
    }
)
WORDS_ASKED = frozenset(name.rpartition(".")[2].encode() for name in ASKED_BY_CALL)
ORDERS = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)
ZEROS = frozenset({"torch.zeros", "torch.zeros_like"})
ARRAYS = (
    "torch.Tensor",
    "torch.FloatTensor",
    "torch.LongTensor",
    "torch.BoolTensor",
    "numpy.ndarray",
)
SHAPED = frozenset(
    "shape unsqueeze masked_fill permute transpose expand view reshape dtype".split()
)
"""What tensors and arrays of several elements have, and lists, texts and modules have not."""
TURNS_ON = re.compile(
    r"\s*(allow|enable|use|activate|turn on|apply|perform|include|add|save|show)s?\b", re.IGNORECASE
)
TURNS_OFF = re.compile(
    r"--?(no|not|disable|without|skip|dont|don|un|non|ignore|remove|drop|exclude)"
)


@finds(fixes=True)
def asks_something_else(code: Code) -> Hits:
    yield from _remainder_of_constant(code)
    yield from _steps_between(code)
    yield from _default_hides_argument(code)
    yield from _asked_of_zeros(code)
    yield from _compared_with_another_type(code)
    yield from _truth_of_tensor(code)
    yield from _function_not_called(code)
    yield from _function_compared(code)
    yield from _name_for_tuple(code)
    yield from _text_for_tuple(code)
    yield from _flag_turns_off(code)


def _remainder_of_constant(code: Code) -> Hits:
    """`epoch + 1 % 50 == 0`: the remainder is that of the 1."""
    for compared in code.of(ast.Compare):
        if not isinstance(compared.left, ast.BinOp):
            continue
        match compared.left:
            case ast.BinOp(
                left=counted,
                op=ast.Add() | ast.Sub(),
                right=ast.BinOp(
                    left=ast.Constant(value=int()) as one, op=ast.Mod(), right=ast.expr() as period
                ),
            ) if not isinstance(counted, ast.Constant):
                start, end = code.text_of(counted), code.text_of(one)
                sign = "+" if isinstance(compared.left.op, ast.Add) else "-"
                text = f"({start} {sign} {end}) % {code.text_of(period)}"
                says = say("remainder-of-constant", constant=f"{end} % {code.text_of(period)}")
                fix = Fix(say("parentheses"), (code.edits.replace(compared.left, text),))
                yield code.hit(compared.left, says, fix)


def _steps_between(code: Code) -> Hits:
    """`if i % accumulation: optimizer.step()` steps in all rounds but the one that ends an accumulation."""
    if b"backward(" not in code.tree.data:
        return
    for loop in code.loops.training:
        for step in loop.own(Act.STEP):
            test = code.around(step.call, ast.If, ast.For, ast.While, *FUNCTIONS)
            match test:
                case ast.If(
                    test=ast.BinOp(op=ast.Mod(), right=ast.Name() | ast.Attribute() as period)
                ) if code.flow.field_of(step.call, test) == "body":
                    if re.search(r"accum|update|step", code.text_of(period), re.IGNORECASE):
                        fix = Fix(say("end-of-period"), (code.edits.append(test.test, " == 0"),))
                        says = say("steps-between", test=code.text_of(test.test))
                        yield code.hit(test.test, says, fix)


def _default_hides_argument(code: Code) -> Hits:
    """`p if self.p is None else self.p`: an argument is respected only where no default was stored."""
    for choice in code.of(ast.IfExp):
        if not isinstance(choice.body, ast.Name):
            continue
        match choice:
            case ast.IfExp(
                body=ast.Name(id=name) as given,
                test=ast.Compare(
                    left=ast.Attribute(attr=tested), ops=[ast.Is()], comparators=[none]
                ),
                orelse=ast.Attribute(attr=stored, value=ast.Name(id="self")) as kept,
            ) if name == tested == stored:
                function = code.tree.enclosing_function(choice)
                parameter = function is not None and name in {
                    a.arg for a in code.tree.parameters(function)
                }
                optional = parameter and code.flow.is_constant(code.flow.default_of(given), None)
                if optional and code.flow.is_constant(none, None):
                    text = f"{name} if {name} is not None else {code.text_of(kept)}"
                    fix = Fix(say("argument-first"), (code.edits.replace(choice, text),))
                    yield code.hit(choice, say("default-hides", name=name), fix)


def _asked_of_zeros(code: Code) -> Hits:
    """`done = torch.zeros(n)` and then `if done.any()`."""
    for call in code.calls.method_calls("any"):
        match call:
            case ast.Call(func=ast.Attribute(value=ast.Name() as name), args=[], keywords=[]):
                made = code.flow.assigned_value(name)
                zeros = isinstance(made, ast.Call) and code.names.resolve(made.func) in ZEROS
                if zeros and made is not None and _is_next_mention(code, made, name):
                    yield code.hit(call, say("any-of-zeros", name=name.id))


def _is_next_mention(code: Code, made: ast.expr, name: ast.Name) -> bool:
    """Whether nothing between the value of a name and this place mentions the name, and no loop repeats it."""
    start, end = code.tree.bounds(made)[1], code.tree.bounds(name)[0]
    places = (code.tree.bounds(n)[0] for n in code.tree.names_by_id[name.id])
    here, there = (code.around(n, ast.For, ast.While, *FUNCTIONS) for n in (made, name))
    return here is there and not any(start < place < end for place in places)


def _compared_with_another_type(code: Code) -> Hits:
    """`x.device == "cpu"`, `x.dtype == "float32"`, `x.shape == [2, 3]`: never equal."""
    for compared in code.of(ast.Compare):
        if not isinstance(compared.left, ast.Attribute) or len(compared.ops) != 1:
            continue
        if not isinstance(compared.ops[0], (ast.Eq, ast.NotEq)):
            continue
        match compared.left, compared.comparators[0]:
            case ast.Attribute(attr="device" | "dtype" as asked), ast.Constant(value=str()):
                pass
            case ast.Attribute(attr="shape" as asked), ast.List():
                pass
            case _:
                continue
        owner = compared.left.value
        if code.types.kind_of(owner) is Kind.TENSOR or _is_first_parameter(owner):
            left, other = code.text_of(compared.left), code.text_of(compared.comparators[0])
            says = {
                "device": say("device-never-equal", other=other, asked=left),
                "dtype": say("dtype-never-equal", other=other, asked=left),
                "shape": say("shape-never-equal", other=other),
            }
            yield code.hit(compared, says[asked])


def _is_first_parameter(node: ast.expr) -> bool:
    match node:
        case ast.Call(
            func=ast.Name(id="next"), args=[ast.Call(func=ast.Attribute(attr="parameters"))]
        ):
            return True
    return False


def _truth_of_tensor(code: Code) -> Hits:
    """`if mask:` of a parameter that is a tensor or None: the truth of several elements is ambiguous."""
    for test in _tests(code):
        if not isinstance(test, ast.Name):
            continue
        match code.flow.reaching_definitions(test):
            case [binding] if isinstance(binding.node, ast.arg):
                argument = binding.node
            case _:
                continue
        optional = code.flow.is_constant(code.flow.default_of(test), None)
        said = argument.annotation
        named = said is not None and _is_array_or_none(code, said, optional)
        if named or (said is None and _is_shaped_where(code, test)):
            fix = Fix(say("not-none"), (code.edits.append(test, " is not None"),), "unsafe")
            inverted = isinstance(code.tree.parent[test], ast.UnaryOp)
            yield code.hit(test, say("truth-of-tensor", name=test.id), None if inverted else fix)


def _is_array_or_none(code: Code, said: ast.expr, optional: bool) -> bool:
    """Whether an annotation is that of a tensor or array that may be None: by itself, or as the default."""
    match said:
        case ast.Subscript(value=outer, slice=inner) if code.names.resolve(outer).endswith(
            ".Optional"
        ):
            return _is_array_or_none(code, inner, optional=True)
        case ast.BinOp(left=inner, op=ast.BitOr(), right=ast.Constant(value=None)):
            return _is_array_or_none(code, inner, optional=True)
    return optional and code.names.resolve(said) in ARRAYS


def _is_shaped_where(code: Code, test: ast.Name) -> bool:
    """Whether what is done if a name is true asks it for what only tensors and arrays have."""
    above = code.tree.parent[test]
    match above:
        case ast.If(test=asked, body=[*statements]) if asked is test:
            inside: list[ast.AST] = [*statements]
        case ast.IfExp(test=asked, body=given) if asked is test:
            inside = [given]
        case _:
            return False
    asked_for = [a for part in inside for a in (part, *code.below(part, ast.Attribute))]
    return any(
        isinstance(each, ast.Attribute)
        and each.attr in SHAPED
        and isinstance(each.value, ast.Name)
        and each.value.id == test.id
        for each in asked_for
    )


def _function_not_called(code: Code) -> Hits:
    """`if torch.cuda.is_available:` asks whether there is such a function."""
    if code.source.words.isdisjoint(WORDS_ASKED):
        return
    for test in _tests(code):
        if code.names.resolve(test) in ASKED_BY_CALL:
            fix = Fix(say("call"), (code.edits.append(test, "()"),), "safe")
            yield code.hit(test, say("not-called", name=code.text_of(test)), fix)


def _tests(code: Code) -> Iterator[ast.expr]:
    """The expressions whose truth decides: tests, and what `and`, `or` and `not` join."""
    tested: list[ast.If | ast.IfExp | ast.While | ast.Assert] = [
        *code.of(ast.If),
        *code.of(ast.IfExp),
        *code.of(ast.While),
        *code.of(ast.Assert),
    ]
    yield from (node.test for node in tested)
    for joined in code.of(ast.BoolOp):
        yield from joined.values
    for inverted in code.of(ast.UnaryOp):
        if isinstance(inverted.op, ast.Not):
            yield inverted.operand


def _function_compared(code: Code) -> Hits:
    """`if get_rank == 0` compares the function and not its result."""
    for compared in code.of(ast.Compare):
        sides = [compared.left, *compared.comparators]
        named = any(isinstance(each, ast.Name) for each in sides)
        if not named or any(not isinstance(op, ORDERS) for op in compared.ops):
            continue
        for side in sides if any(isinstance(each, ast.Constant) for each in sides) else ():
            there = code.classes.named(side) if isinstance(side, ast.Name) else None
            if there is not None and isinstance(there.node, FUNCTIONS):
                fix = Fix(say("call"), (code.edits.append(side, "()"),))
                yield code.hit(side, say("function-compared", name=code.text_of(side)), fix)


def _name_for_tuple(code: Code) -> Hits:
    """`for m in (last, best) if best.exists() else (last)`: the second arm is no tuple."""
    for choice in code.of(ast.IfExp):
        match choice:
            case ast.IfExp(body=ast.Tuple(elts=several), orelse=ast.Name(id=name) as only) if any(
                isinstance(each, ast.Name) and each.id == name for each in several
            ):
                start, _ = code.tree.bounds(only)
                gone_over = isinstance(code.tree.parent[choice], (ast.For, ast.comprehension))
                if code.tree.data[start - 1 : start] == b"(" and gone_over:
                    fix = Fix(say("comma"), (code.edits.append(only, ","),))
                    yield code.hit(only, say("name-for-tuple", name=name), fix)


def _text_for_tuple(code: Code) -> Hits:
    """`mode in ("train")` asks whether a text is part of another."""
    for compared in code.of(ast.Compare):
        if not isinstance(compared.ops[0], (ast.In, ast.NotIn)):
            continue
        match compared:
            case ast.Compare(
                left=ast.Name() | ast.Attribute(),
                ops=[ast.In() | ast.NotIn()],
                comparators=[ast.Constant(value=str(text)) as only],
            ) if len(text) > 2:
                start, end = code.tree.bounds(only)
                if code.tree.data[start - 1 : start] + code.tree.data[end : end + 1] == b"()":
                    fix = Fix(say("comma"), (code.edits.append(only, ","),))
                    yield code.hit(only, say("text-for-tuple", text=text), fix)


def _flag_turns_off(code: Code) -> Hits:
    """`add_argument("--multiscale", action="store_false", help="Allow multi-scale training")`."""
    for call in code.calls.method_calls("add_argument"):
        action, says = (code.calls.argument(call, word) for word in ("action", "help"))
        named = [a.value for a in call.args if isinstance(a, ast.Constant)]
        renamed = any(k.arg in ("dest", None) for k in call.keywords)
        if action is None or renamed or code.flow.text_constant(action) != "store_false":
            continue
        off = any(TURNS_OFF.match(str(name)) for name in named)
        on = says is not None and TURNS_ON.match(code.flow.text_constant(says))
        if named and on and not off:
            fix = Fix(say("store-true"), (code.edits.replace(action, '"store_true"'),))
            yield code.hit(action, say("flag-turns-off", name=str(named[0])), fix)
