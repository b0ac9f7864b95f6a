"""Masks: where they are True, and what those who take them do there.

A mask keeps what takes part where it is True, or hides what does not. Both are followed from where a mask is
made (a comparison with padding, places against lengths, a triangle) through inversions, names, and functions
of the project to what takes it (the layers of torch, a fill with minus infinity, a function of the project
that does one of these).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from keng.source.calls import Calls
from keng.source.classes import Classes
from keng.source.flow import ATTENTIVE, Flow, integer
from keng.source.names import Names
from keng.source.project.trees import Trees
from keng.source.tree import FUNCTIONS, Definition, Function, Tree
from keng.source.types.infer import Types
from keng.source.types.kinds import is_none

ATTENDS = "torch.nn.functional.scaled_dot_product_attention"
PADS = re.compile(r"(?:^|_)pad(?:_|$|ding)", re.IGNORECASE)
OF_ATTENTION = re.compile(r"(?:^|_)attention_mask$")
"""How masks are named that have 1 for tokens, or are added to scores."""
TOKENS = re.compile(r"(?:^|_)(?:ids?|tokens?|words?|src|tgt|seqs?|sequences?|inputs?|texts?)$")
LENGTHS = re.compile(r"len", re.IGNORECASE)
KEEPS_TRUTH = frozenset(
    "to bool long int float byte cuda type type_as unsqueeze view expand expand_as repeat reshape contiguous"
    " detach clone squeeze".split()
)
HUGE = 1e3
FARTHEST = 10
"""Steps from value to value, and from function to function."""
MOST_WAYS = 3
"""Assignments that may give a name its mask."""
OF_BITS = (ast.Compare, ast.BinOp, ast.UnaryOp)
MADE_BY = ("mask", "tril", "triu")
"""In what makes a mask."""
HIDING_KEYWORDS = ("key_padding_mask", "attn_mask", "src_mask", "tgt_mask", "memory_mask", "mask")
"""The masks that the attention layers of torch take; True hides."""


class Truth(NamedTuple):
    """What is where a mask is True: `keeps` is 1 for what takes part, -1 for what does not.

    `shift` is the first diagonal that a triangle hides, None where the mask is about padding; `floats` says
    that the mask holds the numbers 0 and 1.
    """

    keeps: int
    shift: int | None = None
    floats: bool = False

    def inverted(self) -> Truth:
        return self._replace(keeps=-self.keeps)


class Taken(NamedTuple):
    """A mask that is taken: the expression, what takes it, and whether that keeps (1) or hides (-1) what
    is True. `fills` says that scores are filled where they are hidden."""

    mask: ast.expr
    taker: str
    keeps: int
    fills: bool = False


class Masks:
    def __init__(self, tree: Tree, trees: Trees) -> None:
        self.tree = tree
        self.trees = trees
        self.names = trees.ask(Names, tree)
        self.classes = trees.ask(Classes, tree)
        self.flow = trees.ask(Flow, tree)
        self.calls = trees.ask(Calls, tree)
        self.types = trees.ask(Types, tree)
        self._wanted: dict[tuple[ast.AST, str], int] = {}

    def of(self, tree: Tree) -> Masks:
        """The same subject of another file."""
        return self if tree is self.tree else self.trees.ask(Masks, tree)

    # what a mask is

    def truth(self, node: ast.expr | None, depth: int = FARTHEST) -> Truth | None:
        """What is where a mask is True; None where that is not known."""
        if node is None or not depth:
            return None
        base = self._inverted(node)
        if base is not None:
            opposite = self.truth(base, depth - 1)
            return opposite.inverted() if opposite is not None else None
        match node:
            case ast.Name():
                return self._truth_of_name(node, depth)
            case ast.Attribute():
                return self._truth_of_attribute(node, depth)
            case ast.Subscript(value=inner, slice=places) if _only_adds(places):
                return self.truth(inner, depth)
            case ast.Call():
                return self._truth_of_call(node, depth)
            case ast.BinOp(left=left, op=ast.BitAnd() | ast.Mult(), right=right):
                return self._both(left, right, 1, depth)
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                return self._both(left, right, -1, depth)
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return self._compared(left, op, right, depth)
        return None

    def _inverted(self, node: ast.expr) -> ast.expr | None:
        """The mask that an expression is the inversion of."""
        match node:
            case ast.UnaryOp(op=ast.Invert() | ast.Not(), operand=inner):
                return inner
            case ast.BinOp(left=ast.Constant(value=1), op=ast.Sub(), right=inner):
                return inner
            case ast.Call(args=[given]) if self.calls.attribute_name(node.func) == "logical_not":
                return given
            case ast.Call(func=ast.Attribute(attr="logical_not", value=inner), args=[]):
                return inner
        return None

    def _truth_of_name(self, name: ast.Name, depth: int) -> Truth | None:
        """Of the one value of a name, or of all that reach it: `if cuda: mask = mask.cuda()`."""
        found = [b for b in self.flow.reaching_definitions(name) if not is_none(b.value)]
        if not found or len(found) > MOST_WAYS or any(b.how != "assign" or b.path for b in found):
            return None
        ways = {self.truth(b.value, depth - 1) for b in found}
        return ways.pop() if len(ways) == 1 else None

    def _truth_of_attribute(self, node: ast.Attribute, depth: int) -> Truth | None:
        """Of an attribute of `self` that is set once, or a buffer."""
        owner = self.classes.self_class(node.value)
        if owner is None:
            return None
        given = [value for value, path in self.classes.attributes(owner).get(node.attr, ())]
        given += [
            call.args[1]
            for call in self.calls.method_calls("register_buffer")
            if len(call.args) > 1 and self.tree.is_text(call.args[0], node.attr)
            if self.tree.enclosing_class(call) is owner
        ]
        return self.truth(given[0], depth - 1) if len(given) == 1 else None

    def _truth_of_call(self, call: ast.Call, depth: int) -> Truth | None:
        method = call.func if isinstance(call.func, ast.Attribute) else None
        name = self.calls.attribute_name(call.func)
        plain = method is not None and not self.names.resolve(call.func)
        if name in ("tril", "triu"):
            return self._triangle(call, name)
        if plain and method is not None and name in KEEPS_TRUTH:
            inner = self.truth(method.value, depth)
            boolean = name == "bool" or "bool" in ast.unparse(call)
            return inner._replace(floats=False) if inner is not None and boolean else inner
        if plain and method is not None and name in ("eq", "ne") and len(call.args) == 1:
            op: ast.cmpop = ast.Eq() if name == "eq" else ast.NotEq()
            return self._compared(method.value, op, call.args[0], depth)
        return self._returned(call, depth)

    def _returned(self, call: ast.Call, depth: int) -> Truth | None:
        """Of the mask that a function of the project returns."""
        made = self.types.definition(call.func)
        if made is None or not isinstance(made.node, FUNCTIONS):
            return None
        ways = {self.of(made.tree).truth(r, depth - 2) for r in made.tree.returns(made.node)}
        return ways.pop() if depth > 2 and len(ways) == 1 else None

    def _triangle(self, call: ast.Call, name: str) -> Truth | None:
        """`tril(ones)` is 1 for earlier positions, `triu(ones, 1)` for later ones."""
        method = isinstance(call.func, ast.Attribute) and not self.names.resolve(call.func)
        base = call.func.value if method and isinstance(call.func, ast.Attribute) else None
        given = base if base is not None else (call.args[0] if call.args else None)
        ones = self.flow.call_behind(given) if given is not None else None
        if ones is None or self.names.resolve(ones.func) not in ("torch.ones", "torch.ones_like"):
            return None
        at = self.calls.argument(call, "diagonal", 0 if method else 1)
        diagonal = integer(at) if at is not None else 0
        if diagonal is None:
            return None
        floats = not any(k.arg == "dtype" for k in (*ones.keywords, *call.keywords))
        shift = diagonal if name == "triu" else diagonal + 1
        return Truth(1 if name == "tril" else -1, shift, floats)

    def _both(self, left: ast.expr, right: ast.expr, keeps: int, depth: int) -> Truth | None:
        one, other = self.truth(left, depth - 1), self.truth(right, depth - 1)
        if one is None or other is None or one.keeps != keeps or other.keeps != keeps:
            return None
        return one if one.shift is None else other._replace(floats=False)

    def _compared(self, left: ast.expr, op: ast.cmpop, right: ast.expr, depth: int) -> Truth | None:
        number = right.value if isinstance(right, ast.Constant) else None
        same = isinstance(op, ast.Eq) == (number == 1)
        if number in (0, 1) and isinstance(op, (ast.Eq, ast.NotEq)):
            inner = self.truth(left, depth - 1)
            if inner is not None:
                kept = inner._replace(floats=False)
                return kept if same else kept.inverted()
        if isinstance(op, (ast.Eq, ast.NotEq)):
            padding = self._is_padding(left, right)
            if isinstance(op, ast.NotEq) and OF_ATTENTION.search(_last_name(left)):
                return None  # 0 may be what is added to scores that take part
            return Truth(-1 if isinstance(op, ast.Eq) else 1) if padding else None
        way = {ast.Lt: 1, ast.LtE: 1, ast.Gt: -1, ast.GtE: -1}.get(type(op), 0)
        if way and _is_negative(right) and OF_ATTENTION.search(_last_name(left)):
            return Truth(-way)  # what is added to scores is far below zero where it hides
        counted = way * self._places_before_lengths(left, right)
        return Truth(counted) if counted else None

    def _is_padding(self, left: ast.expr, right: ast.expr) -> bool:
        """Whether tokens are compared with what fills them up."""
        pads = PADS.search(_last_name(right)) is not None and "mask" not in ast.unparse(left)
        zero = isinstance(right, ast.Constant) and right.value == 0
        tokens = TOKENS.search(_last_name(left)) is not None
        return pads or (zero and (tokens or OF_ATTENTION.search(_last_name(left)) is not None))

    def _places_before_lengths(self, left: ast.expr, right: ast.expr) -> int:
        """1 where places are compared with lengths, -1 where lengths are with places."""
        for places, lengths, way in ((left, right, 1), (right, left, -1)):
            if self._are_places(places) and LENGTHS.search(ast.unparse(lengths)):
                return way
        return 0

    def _are_places(self, node: ast.expr) -> bool:
        made = [self.flow.assigned_value(inner) or inner for inner in ast.walk(node)]
        calls = [each for each in made if isinstance(each, ast.Call)]
        return any(self.types.value_of(call).dotted == "torch.arange" for call in calls)

    # who takes it

    def taken(self) -> Iterator[Taken]:
        """The masks of attention that calls of the file take."""
        yield from self._taken_by_keyword()
        for call in self.calls.method_calls("masked_fill", "masked_fill_"):
            if len(call.args) == 2 and self.hugely_negative(call.args[1]):
                yield Taken(call.args[0], self.calls.attribute_name(call.func), -1, True)
        for call in self.calls.calls_to("torch.where"):
            if len(call.args) == 3:
                yield from self._taken_by_where(call)
        for call in self.calls.calls_to(ATTENDS):
            mask = self.calls.argument(call, "attn_mask", 3)
            if mask is not None:
                yield Taken(mask, "scaled_dot_product_attention", 1)

    def _taken_by_keyword(self) -> Iterator[Taken]:
        for keyword in self.tree.nodes(ast.keyword):
            call = self.tree.parent[keyword]
            if keyword.arg is None or not keyword.arg.endswith(HIDING_KEYWORDS):
                continue
            if isinstance(call, ast.Call) and self.types.value_of(call.func).dotted in ATTENTIVE:
                yield Taken(keyword.value, keyword.arg, -1)

    def _taken_by_where(self, call: ast.Call) -> Iterator[Taken]:
        mask, one, other = call.args
        if self.hugely_negative(other):
            yield Taken(mask, "torch.where", 1, True)
        elif self.hugely_negative(one):
            yield Taken(mask, "torch.where", -1, True)

    def hugely_negative(self, value: ast.expr) -> bool:
        match value:
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=float() | int() as number)):
                return number >= HUGE
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                return self.names.resolve(inner) in ("torch.inf", "math.inf", "numpy.inf")
            case ast.Call(func=ast.Name(id="float"), args=[ast.Constant(value=str(text))]):
                return text.lower() in ("-inf", "-infinity")
            case ast.Attribute(attr="min", value=ast.Call(func=function)):
                return self.names.resolve(function) in ("torch.finfo", "numpy.finfo")
            case ast.Name():
                made = self.flow.assigned_value(value)
                return made is not None and self.hugely_negative(made)
        return False

    def taken_by_functions(self) -> Iterator[Taken]:
        """The masks that calls of the file give to functions of the project which take masks, themselves
        or by what they call. Asks only for those whose truth is known."""
        for call in self.tree.nodes(ast.Call):
            given = [*call.args, *(k.value for k in call.keywords)]
            masks = [each for each in given if self._may_be_mask(each) and self.truth(each)]
            made = self.types.resolve_function(call) if masks else None
            if made is None or not isinstance(made.node, FUNCTIONS):
                continue
            for argument in made.tree.parameters(made.node):
                bound = self.calls.of(made.tree).bound_argument(call, made.node, argument.arg)
                keeps = self.of(made.tree).wanted(made.node, argument.arg) if bound in masks else 0
                if keeps and bound is not None:
                    name = self.tree.text_of(call.func)
                    yield Taken(bound, f"{name}({argument.arg}=)", keeps, True)

    def _may_be_mask(self, node: ast.expr) -> bool:
        """Whether an argument is a mask by its name, or made where it is given."""
        while isinstance(node, (ast.UnaryOp, ast.Subscript)):
            node = node.operand if isinstance(node, ast.UnaryOp) else node.value
        if isinstance(node, ast.Constant):
            return False
        named = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
        if "mask" in named or "pad" in named:
            return True
        if isinstance(node, ast.Name) and not self._may_be_made_here(node):
            return False
        made = self.flow.assigned_value(node) or node
        return (
            self._speaks_of_masks(made) if isinstance(made, ast.Call) else isinstance(made, OF_BITS)
        )

    def _may_be_made_here(self, name: ast.Name) -> bool:
        """Whether a name is ever given what may be a mask, wherever that is."""
        given = (each.value for each in self.names.bindings(name) if each.how == "assign")
        return any(
            isinstance(each, OF_BITS)
            or (isinstance(each, ast.Call) and self._speaks_of_masks(each))
            for each in given
        )

    def _speaks_of_masks(self, call: ast.Call) -> bool:
        text = self.tree.text_of(call)
        if not any(word in text for word in MADE_BY):
            return False
        return any(word in ast.unparse(call) for word in MADE_BY)  # not in a comment

    def wanted(self, function: Function, argument: str, depth: int = 4) -> int:
        """1 where a function keeps what its mask is True for, -1 where it hides that, 0 where that is not
        known or not the same everywhere."""
        if (function, argument) not in self._wanted:
            self._wanted[function, argument] = 0  # a function that calls itself
            found = set(self._uses(function, argument, depth))
            self._wanted[function, argument] = found.pop() if len(found) == 1 else 0
        return self._wanted[function, argument]

    def _uses(self, function: Function, argument: str, depth: int) -> Iterator[int]:
        for taken in self._taken_in(function):
            sign = self._sign(taken.mask, function, argument)
            if sign:
                yield sign * taken.keeps
        for call in self.tree.descendants(function, ast.Call) if depth else ():
            given = [*call.args, *(k.value for k in call.keywords)]
            signs = {each: sign for each in given if (sign := self._sign(each, function, argument))}
            made = self.types.resolve_function(call) if signs else None
            if made is not None and isinstance(made.node, FUNCTIONS):
                yield from self._passed_on(call, made, signs, depth)

    def _passed_on(
        self, call: ast.Call, made: Definition, signs: dict[ast.expr, int], depth: int
    ) -> Iterator[int]:
        inner = self.of(made.tree)
        if not isinstance(made.node, FUNCTIONS):
            return
        for argument in made.tree.parameters(made.node):
            bound = self.calls.of(made.tree).bound_argument(call, made.node, argument.arg)
            if bound in signs:
                keeps = inner.wanted(made.node, argument.arg, depth - 1)
                if keeps:
                    yield keeps * signs[bound]

    def _taken_in(self, function: Function) -> list[Taken]:
        if self._all_taken is None:
            self._all_taken = list(self.taken())
        return [each for each in self._all_taken if self.tree.within(each.mask, function)]

    _all_taken: list[Taken] | None = None

    def _sign(self, node: ast.expr, function: Function, argument: str, depth: int = 8) -> int:
        """1 where an expression is an argument as it came, -1 where it is its inversion, else 0."""
        base = self._inverted(node)
        if base is not None or not depth:
            return -self._sign(base, function, argument, depth - 1) if base is not None else 0
        match node:
            case ast.Name():
                signs = {
                    self._sign_of_binding(b.value, b.how, b.node, function, argument, depth)
                    for b in self.flow.reaching_definitions(node)
                }
                return signs.pop() if len(signs) == 1 else 0
            case ast.Subscript(value=inner, slice=places) if _only_adds(places):
                return self._sign(inner, function, argument, depth)
            case ast.Call(func=ast.Attribute(attr=name, value=inner)) if name in KEEPS_TRUTH:
                return self._sign(inner, function, argument, depth)
            case ast.Compare(left=left, ops=[ast.Eq()], comparators=[ast.Constant(value=number)]):
                sign = self._sign(left, function, argument, depth)
                return (sign if number in (1, True) else -sign) if number in (0, 1) else 0
            case ast.Call(
                func=ast.Attribute(attr="eq", value=left), args=[ast.Constant(value=number)]
            ):
                sign = self._sign(left, function, argument, depth)
                return (sign if number in (1, True) else -sign) if number in (0, 1) else 0
        return 0

    def _sign_of_binding(
        self,
        value: ast.expr | None,
        how: str,
        bound: ast.AST,
        function: Function,
        argument: str,
        depth: int,
    ) -> int:
        if how == "argument":
            named = isinstance(bound, ast.arg) and bound.arg == argument
            return int(named and self.tree.enclosing_function(bound) is function)
        plain = how == "assign" and value is not None
        return (
            self._sign(value, function, argument, depth - 1) if plain and value is not None else 0
        )


def _only_adds(places: ast.expr) -> bool:
    """`[:, None]`, `[:, :, :n, :n]` and the like."""
    parts = places.elts if isinstance(places, ast.Tuple) else [places]
    return all(
        isinstance(part, ast.Slice)
        or (isinstance(part, ast.Constant) and part.value in (None, ...))
        for part in parts
    )


def _last_name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _is_negative(node: ast.expr) -> bool:
    """Whether an expression is a negative number."""
    match node:
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            return number > 0
    return False
