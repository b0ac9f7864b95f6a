"""Slips: what was meant is replaced by its neighbour, by a constant, or by nothing."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from evals.mutations.operators import FUNCTIONS, Change, Edit, File, Function, is_self, plants

WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
LOSS = re.compile(r"(^|_)loss(es)?(_|\d|$)", re.IGNORECASE)
KEEPS_SHAPE = re.compile(r"(Dropout\w*|(Batch|Layer|Group|Instance)Norm\w*|RMSNorm|PReLU)$")
TOTALS = re.compile(r"total|running|epoch|sum|avg|mean", re.IGNORECASE)
TENSORS = re.compile(
    r"(\w+_)?masks?|(\w+_)?(idx|index)|labels?|targets?|hidden|state|h0|hx|bias|weights?|memory|prev\w*"
)
COPIES = frozenset(
    "masked_fill clamp to cuda transpose permute unsqueeze squeeze view reshape contiguous detach".split()
)
TRAINS = re.compile(r"train", re.IGNORECASE)


def one_word_apart(one: str, other: str) -> tuple[str, str] | None:
    """The words by which two names differ, where it is one: ("src", "tgt") of `src_mask` and `tgt_mask`."""
    a, b = WORDS.findall(one), WORDS.findall(other)
    if len(a) != len(b) or len(a) < 2 or WORDS.sub("", one) != WORDS.sub("", other):
        return None
    apart = [(x, y) for x, y in zip(a, b, strict=True) if x != y]
    return apart[0] if len(apart) == 1 else None


def modules(file: File) -> Iterator[tuple[ast.ClassDef, Function, Function]]:
    """The classes with an `__init__` and a `forward` that inherit from something called a module."""
    for owner in file.of(ast.ClassDef):
        methods = {each.name: each for each in owner.body if isinstance(each, FUNCTIONS)}
        bases = " ".join(map(ast.unparse, owner.bases))
        if "Module" in bases and "__init__" in methods and "forward" in methods:
            yield owner, methods["__init__"], methods["forward"]


def layers(file: File, init: Function) -> dict[str, ast.Call]:
    """The layers of torch.nn that a constructor makes once, by their names."""
    found: dict[str, list[ast.expr]] = {}
    for assigned in file.below(init, ast.Assign):
        target = assigned.targets[0]
        if is_self(target) and isinstance(target, ast.Attribute):
            found.setdefault(target.attr, []).append(assigned.value)
    return {
        name: values[0]
        for name, values in found.items()
        if len(values) == 1
        and isinstance(values[0], ast.Call)
        and ast.unparse(values[0].func).startswith(("nn.", "torch.nn."))
    }


def only_call(file: File, name: str, forward: Function) -> ast.Call | None:
    """The call of a layer in a forward that is all that the file does with it but make it."""
    uses = file.attributes(name)
    if len(uses) != 2 or file.data.count(name.encode()) != 2 or file.function(uses[-1]) is None:
        return None
    for use in uses:
        call = file.parent[use]
        called = isinstance(call, ast.Call) and call.func is use and is_self(use)
        if called and isinstance(call, ast.Call) and file.function(use) is forward:
            return call
    return None


@plants("layer-replaced-by-sibling", "layer-unused sibling-name", "nn.")
def layer_replaced(file: File) -> Iterator[Change]:
    """`x = self.norm1(x)` for `x = self.norm2(x)`, where both are made alike."""
    for _, init, forward in modules(file):
        made = layers(file, init)
        for name, value in made.items():
            for other, twin in made.items():
                alike = re.sub(r"\d+", "", name) == re.sub(r"\d+", "", other) or one_word_apart(
                    name, other
                )
                if name == other or not alike or ast.dump(value) != ast.dump(twin):
                    continue
                call = only_call(file, name, forward)
                if call is not None and file.attributes(other, forward):
                    yield Change(call.lineno, (file.replace(call.func, f"self.{other}"),))


@plants("layer-call-removed", "layer-unused", "nn.")
def layer_call_removed(file: File) -> Iterator[Change]:
    """`x = x` for `x = self.dropout(x)`."""
    for _, init, forward in modules(file):
        for name, value in layers(file, init).items():
            call = only_call(file, name, forward)
            keeps = KEEPS_SHAPE.search(ast.unparse(value.func))
            if call is not None and keeps and len(call.args) == 1 and not call.keywords:
                yield Change(call.lineno, (file.replace(call, file.text(call.args[0])),))


def parameters_used_once(file: File) -> Iterator[tuple[Function, str, ast.expr | None, ast.Name]]:
    """The parameters of a function that it reads in one place: the name, the default, and the read."""
    for function in [*file.of(ast.FunctionDef), *file.of(ast.AsyncFunctionDef)]:
        given = function.args
        if given.kwarg or given.vararg or function.decorator_list:
            continue
        every = [*given.posonlyargs, *given.args]
        defaults = [None] * (len(every) - len(given.defaults)) + [*given.defaults]
        pairs = [*zip(every, defaults, strict=True)]
        pairs += [*zip(given.kwonlyargs, given.kw_defaults, strict=True)]
        for argument, default in pairs:
            named = [n for n in file.below(function, ast.Name) if n.id == argument.arg]
            if len(named) == 1 and argument.arg not in ("self", "cls") and len(every) > 2:
                yield function, argument.arg, default, named[0]


@plants("argument-replaced-by-default", "argument-ignored", "def")
def argument_replaced(file: File) -> Iterator[Change]:
    """`softmax(x, dim=-1)` for `softmax(x, dim=dim)`, where the function takes `dim=-1`."""
    for _, _, default, read in parameters_used_once(file):
        match default, file.parent[read]:
            case ast.Constant(value=int() | float() | str()), ast.Call() | ast.keyword():
                yield Change(read.lineno, (file.replace(read, ast.unparse(default)),))


@plants("argument-kept-as-default", "argument-ignored", "self")
def argument_kept_as_default(file: File) -> Iterator[Change]:
    """`self.dim = 1` for `self.dim = dim`."""
    for function, name, default, read in parameters_used_once(file):
        match default, file.parent[read]:
            case ast.Constant(value=int() | float() | str()), ast.Assign(targets=[target]):
                if is_self(target, name) and function.name == "__init__":
                    yield Change(read.lineno, (file.replace(read, ast.unparse(default)),))


@plants("argument-not-passed", "argument-ignored", "def")
def argument_not_passed(file: File) -> Iterator[Change]:
    """`attend(q, k)` for `attend(q, k, mask=mask)`, where the function takes `mask`."""
    for _, name, _, read in parameters_used_once(file):
        keyword = file.parent[read]
        call = file.parent[keyword] if isinstance(keyword, ast.keyword) else None
        if isinstance(call, ast.Call) and isinstance(keyword, ast.keyword) and keyword.arg == name:
            yield Change(keyword.lineno, (file.remove_argument(call, keyword),))


def copies(file: File) -> Iterator[tuple[ast.Assign, ast.Assign, list[tuple[ast.expr, str]]]]:
    """Two assignments in a row of which the second is the first with one word replaced: both, and the names
    of the second's value that were replaced, with those of the first."""
    for first in file.of(ast.Assign):
        block, at = file.siblings(first)
        for second in block[at + 1 : at + 3]:
            if not isinstance(second, ast.Assign) or len(ast.dump(second)) > 3000:
                continue
            left = [n for n in ast.walk(first) if isinstance(n, (ast.Name, ast.Attribute))]
            right = [n for n in ast.walk(second) if isinstance(n, (ast.Name, ast.Attribute))]
            names = [*zip(map(_word, left), map(_word, right), strict=False)]
            if len(left) != len(right) or _shape(first) != _shape(second):
                continue
            apart = {one_word_apart(one, other) for one, other in names if one != other}
            if len(apart) == 1 and None not in apart and names[0][0] != names[0][1]:
                inside = [
                    (r, _word(le))
                    for le, r in zip(left, right, strict=True)
                    if _word(le) != _word(r) and isinstance(getattr(r, "ctx", None), ast.Load)
                ]
                yield first, second, inside


def _word(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")


def _shape(node: ast.AST) -> list[str]:
    kinds = [type(n).__name__ for n in ast.walk(node)]
    return kinds + [repr(n.value) for n in ast.walk(node) if isinstance(n, ast.Constant)]


@plants("copy-keeps-first-name", "sibling-name value-never-used argument-ignored layer-unused")
def copy_keeps_name(file: File) -> Iterator[Change]:
    """`tgt_mask = make_mask(src)` below `src_mask = make_mask(src)`."""
    for _, second, inside in copies(file):
        function = file.function(second)
        for node, former in inside if function is not None else ():
            alone = len(file.loads(_word(node), function)) == 1 if function is not None else False
            attribute = isinstance(node, ast.Attribute)
            if attribute:
                alone = len(file.attributes(_word(node), function)) == 1
            if alone or len(inside) > 1:
                start = (
                    file.end(node) - len(_word(node).encode()) if attribute else file.start(node)
                )
                yield Change(node.lineno, (Edit(start, file.end(node), former),))


@plants("loss-of-the-other-pair", "sibling-name value-never-used argument-ignored", "loss")
def loss_of_other_pair(file: File) -> Iterator[Change]:
    """`loss_b = criterion(out_b, y_a)` next to `loss_a = criterion(out_a, y_a)`."""
    for _, second, inside in copies(file):
        if isinstance(second.value, ast.Call) and LOSS.search(ast.unparse(second.targets[0])):
            for node, former in inside:
                if isinstance(node, ast.Name) and node in second.value.args and len(inside) > 1:
                    yield Change(node.lineno, (file.replace(node, former),))


@plants("bound-twice", "sibling-name value-never-used wrong-test", "max min")
def bound_twice(file: File) -> Iterator[Change]:
    """`(x - x_min) / (x_min - x_min)` and `clamp(x, x_min, x_min)`: the maximum is the minimum too."""
    for function in file.of(ast.FunctionDef):
        for node in file.below(function, ast.BinOp, ast.Call):
            pair = [node.left, node.right] if isinstance(node, ast.BinOp) else node.args[-2:]
            names = [n.id if isinstance(n, ast.Name) else "" for n in pair]
            bounds = len(names) == 2 and one_word_apart(*names) in (("max", "min"), ("min", "max"))
            if bounds and len(file.loads(names[1], function)) == 1:
                yield Change(node.lineno, (file.replace(pair[1], names[0]),))


@plants("arguments-exchanged", "sibling-name wrong-kind-of-argument", "def")
def arguments_exchanged(file: File) -> Iterator[Change]:
    """`attend(mask, query)` of `def attend(query, mask)` in the same file."""
    functions: dict[str, list[Function]] = {}
    for function in file.of(ast.FunctionDef):
        functions.setdefault(function.name, []).append(function)
    for call in file.of(ast.Call):
        called = call.func.attr if is_self(call.func) else getattr(call.func, "id", "")  # type: ignore[attr-defined]
        if len(functions.get(called, [])) != 1:
            continue
        taken = [a.arg for a in functions[called][0].args.args if a.arg != "self"]
        given = [a.id if isinstance(a, ast.Name) else "" for a in call.args]
        for at in range(len(given) - 1):
            pair = given[at : at + 2]
            if pair == taken[at : at + 2] and not one_word_apart(*pair) and min(map(len, pair)) > 2:
                edits = (
                    file.replace(call.args[at], pair[1]),
                    file.replace(call.args[at + 1], pair[0]),
                )
                yield Change(call.lineno, edits)


@plants("loss-term-overwrites", "loss-overwritten value-never-used", "loss")
def loss_term_overwrites(file: File) -> Iterator[Change]:
    """`loss = w * term` for `loss += w * term`."""
    for added in file.of(ast.AugAssign):
        name = added.target.id if isinstance(added.target, ast.Name) else ""
        block, at = file.siblings(added)
        first = [s for s in block[:at] if isinstance(s, ast.Assign) and _word(s.targets[0]) == name]
        computed = bool(first) and not isinstance(first[-1].value, (ast.Constant, ast.Name))
        if LOSS.search(name) and isinstance(added.op, ast.Add) and computed:
            operator = Edit(file.end(added.target), file.start(added.value), " = ")
            if (
                not file.loads(name, added.value)
                and b"#" not in file.data[operator.start : operator.end]
            ):
                between = block[block.index(first[-1]) + 1 : at]
                if not any(file.loads(name, each) for each in between):
                    yield Change(added.lineno, (operator,))


@plants("loss-term-not-added", "value-never-used argument-ignored", "loss")
def loss_term_not_added(file: File) -> Iterator[Change]:
    """`loss = a` for `loss = a + w * b`, where `b` was computed for it."""
    for total in file.of(ast.BinOp):
        above, function = file.parent[total], file.function(total)
        if (
            not isinstance(total.op, ast.Add)
            or function is None
            or not isinstance(above, ast.Assign)
        ):
            continue
        if not LOSS.search(ast.unparse(above.targets[0])):
            continue
        for name in {n.id for n in ast.walk(total.right) if isinstance(n, ast.Name)}:
            stored = [
                n
                for n in file.below(function, ast.Name)
                if n.id == name and isinstance(n.ctx, ast.Store)
            ]
            term = LOSS.search(name) and len(stored) == 1
            if term and len(file.loads(name, function)) == 1:
                yield Change(total.lineno, (Edit(file.end(total.left), file.end(total), ""),))


def totals(file: File) -> Iterator[tuple[ast.For, ast.AugAssign, str]]:
    """The sums over the rounds of a loop that are read behind it: the loop, the addition, the name."""
    for added in file.of(ast.AugAssign):
        name = added.target.id if isinstance(added.target, ast.Name) else ""
        loop, function = file.parent[added], file.function(added)
        if not isinstance(loop, ast.For) or not isinstance(added.op, ast.Add) or function is None:
            continue
        named = TOTALS.search(name) or LOSS.search(name)
        block, at = file.siblings(loop)
        behind = [n for s in block[at + 1 :] for n in file.loads(name, s)]
        if (
            named
            and behind
            and not file.loads(name, loop)
            and not isinstance(added.value, ast.Constant)
        ):
            yield loop, added, name


@plants("total-becomes-last", "last-round-used loss-overwritten value-never-used", "loss")
def total_becomes_last(file: File) -> Iterator[Change]:
    """`total_loss = loss.item()` for `total_loss += loss.item()`, read behind the loop."""
    for _, added, _ in totals(file):
        yield Change(added.lineno, (Edit(file.end(added.target), file.start(added.value), " = "),))


@plants("last-for-total", "last-round-used value-never-used", "loss")
def last_for_total(file: File) -> Iterator[Change]:
    """`return loss` behind a loop that adds up `total += loss`, which nothing reads now."""
    for loop, added, name in totals(file):
        block, at = file.siblings(loop)
        behind = [n for s in block[at + 1 :] for n in file.loads(name, s)]
        summands = {n.id for n in ast.walk(added.value) if isinstance(n, ast.Name)}
        bound = {n.id for n in file.below(loop, ast.Name) if isinstance(n.ctx, ast.Store)}
        losses = [n for n in summands & bound if LOSS.search(n)]
        function = file.function(loop)
        alone = function is not None and len(file.loads(name, function)) == 1
        if len(behind) == 1 and len(losses) == 1 and alone:
            yield Change(behind[0].lineno, (file.replace(behind[0], losses[0]),))


@plants("last-for-list", "last-round-used value-never-used", "append")
def last_for_list(file: File) -> Iterator[Change]:
    """`return x` behind a loop that collects `outs.append(x)`, for `return torch.stack(outs)`."""
    for call in file.of(ast.Call):
        match call:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=kept), attr="append"), args=[ast.Name(id=one)]
            ):
                pass
            case _:
                continue
        loop, function = file.above(call, ast.For), file.function(call)
        reads = file.loads(kept, function) if function is not None else []
        behind = [n for n in reads if loop is not None and n.lineno > (loop.end_lineno or 0)]
        if len(reads) == 2 and len(behind) == 1 and loop is not None:
            joined = file.parent[behind[0]]
            if isinstance(joined, ast.Call) and ast.unparse(joined.func) in (
                "torch.cat",
                "torch.stack",
            ):
                bound = {n.id for n in file.below(loop, ast.Name) if isinstance(n.ctx, ast.Store)}
                if one in bound:
                    yield Change(joined.lineno, (file.replace(joined, one),))


@plants("set-in-branch-only", "name-set-in-one-branch", "if")
def set_in_branch_only(file: File) -> Iterator[Change]:
    """`x = f(y)` moved into the `if` behind it, while what is behind that still reads `x`."""
    for block in file.of(ast.If):
        function = file.function(block)
        siblings, at = file.siblings(block)
        before = siblings[at - 1] if at > 0 else None
        if function is None or block.orelse or not isinstance(before, ast.Assign):
            continue
        if any(file.below(s, ast.Return, ast.Raise, ast.Continue, ast.Break) for s in [block]):
            continue
        target = before.targets[0]
        name = target.id if isinstance(target, ast.Name) else ""
        stores = [
            n
            for n in file.below(function, ast.Name)
            if n.id == name and isinstance(n.ctx, ast.Store)
        ]
        arguments = {a.arg for a in file.below(function, ast.arg)}
        behind = [n for s in siblings[at + 1 :] for n in file.loads(name, s)]
        asked = file.loads(name, block.test)
        if len(stores) == 1 and name not in arguments and behind and not asked and block.body:
            first, text = block.body[0], file.text(before)
            if "\n" not in text and first.lineno > block.lineno:
                put = Edit(file.start(first), file.start(first), f"{text}\n{file.indent(first)}")
                yield Change(before.lineno, (file.remove(before), put))


@plants("else-removed", "name-set-in-one-branch", "else")
def else_removed(file: File) -> Iterator[Change]:
    """`if a: x = f(y)` without the `else: x = y` that it had."""
    for block in file.of(ast.If):
        function = file.function(block)
        match block.body, block.orelse:
            case [ast.Assign(targets=[ast.Name(id=name)])], [
                ast.Assign(targets=[ast.Name(id=other)]) as last
            ] if name == other and function is not None:
                pass
            case _:
                continue
        stores = [
            n
            for n in file.below(function, ast.Name)
            if n.id == name and isinstance(n.ctx, ast.Store)
        ]
        siblings, at = file.siblings(block)
        behind = [n for s in siblings[at + 1 :] for n in file.loads(name, s)]
        if (
            len(stores) == 2
            and behind
            and name not in {a.arg for a in file.below(function, ast.arg)}
        ):
            cut = Edit(file.end(block.body[-1]), file.end(last), "")
            if not any(
                n.id == name and isinstance(n.ctx, ast.Load)
                for n in ast.walk(block.body[0])
                if isinstance(n, ast.Name)
            ):
                yield Change(block.lineno, (cut,))


@plants("attribute-in-branch-only", "attribute-set-in-one-branch", "self")
def attribute_in_branch_only(file: File) -> Iterator[Change]:
    """`self.norm = nn.LayerNorm(d)` moved into the `if` behind it, while `forward` always calls it."""
    for _, init, forward in modules(file):
        for block in file.below(init, ast.If):
            siblings, at = file.siblings(block)
            before = siblings[at - 1] if at > 0 else None
            if block.orelse or not isinstance(before, ast.Assign) or not is_self(before.targets[0]):
                continue
            name = _word(before.targets[0])
            straight = [
                a
                for a in file.attributes(name, forward)
                if file.above(a, ast.If, ast.For, *FUNCTIONS) is forward
            ]
            first, text = block.body[0], file.text(before)
            movable = "\n" not in text and first.lineno > block.lineno
            if straight and movable and len(file.attributes(name, init)) == 1:
                put = Edit(file.start(first), file.start(first), f"{text}\n{file.indent(first)}")
                yield Change(before.lineno, (file.remove(before), put))


@plants("scaled-for-good", "value-carried weighed-twice loss-overwritten", "for")
def scaled_for_good(file: File) -> Iterator[Change]:
    """`x = x * s` for `y = x * s` in a loop, where `x` comes from before it."""
    for assigned in file.of(ast.Assign):
        match assigned:
            case ast.Assign(
                targets=[ast.Name(id=new)],
                value=ast.BinOp(
                    left=ast.Name(id=old), op=ast.Mult() | ast.Div() | ast.Add(), right=right
                ),
            ) if new != old:
                pass
            case _:
                continue
        loop, function = file.above(assigned, ast.For, *FUNCTIONS), file.function(assigned)
        if (
            not isinstance(loop, ast.For)
            or function is None
            or old in {n.id for n in ast.walk(loop.target) if isinstance(n, ast.Name)}
        ):
            continue
        inside = [n for n in file.below(loop, ast.Name) if n.id == old]
        stored = [
            n
            for n in file.below(function, ast.Name)
            if n.id == new and isinstance(n.ctx, ast.Store)
        ]
        own = {n.id for n in file.below(loop, ast.Name) if isinstance(n.ctx, ast.Store)}
        varies = own & {n.id for n in ast.walk(right) if isinstance(n, ast.Name)}
        if len(inside) == 1 and len(stored) == 1 and varies:
            uses = file.loads(new, function)
            edits = [file.replace(assigned.targets[0], old), *(file.replace(u, old) for u in uses)]
            if all(u.lineno >= assigned.lineno and loop in _ancestors(file, u) for u in uses):
                yield Change(assigned.lineno, tuple(edits))


def _ancestors(file: File, node: ast.AST) -> Iterator[ast.AST]:
    while node in file.parent:
        node = file.parent[node]
        yield node


@plants("truth-for-not-none", "wrong-test", "None")
def truth_for_not_none(file: File) -> Iterator[Change]:
    """`if mask:` for `if mask is not None:`, where `mask` is a tensor or an index."""
    for compared in file.of(ast.Compare):
        match compared:
            case ast.Compare(
                left=ast.Name(id=name), ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]
            ):
                pass
            case _:
                continue
        function = file.function(compared)
        tested = isinstance(file.parent[compared], (ast.If, ast.IfExp))
        taken = {a.arg: a for a in file.below(function, ast.arg)} if function is not None else {}
        if tested and name in taken:
            said = ast.unparse(taken[name].annotation or ast.Constant(value=""))
            if "Tensor" in said or (not taken[name].annotation and TENSORS.fullmatch(name)):
                yield Change(compared.lineno, (file.replace(compared, name),))


@plants("features-given-twice", "wrong-kind-of-argument", "BatchNorm")
def features_given_twice(file: File) -> Iterator[Change]:
    """`nn.BatchNorm2d(n, n)` for `nn.BatchNorm2d(n)`: the second argument is eps."""
    for call in file.of(ast.Call):
        normal = re.search(r"nn\.BatchNorm\dd$", ast.unparse(call.func)) and not call.keywords
        if normal and len(call.args) == 1 and not isinstance(call.args[0], ast.Constant):
            text, end = file.text(call.args[0]), file.end(call.args[0])
            yield Change(call.lineno, (Edit(end, end, f", {text}"),))


@plants("sizes-exchanged", "layer-size-mismatch wrong-kind-of-argument", "nn.")
def sizes_exchanged(file: File) -> Iterator[Change]:
    """`nn.Linear(out, in)` for `nn.Linear(in, out)` in a `Sequential`, behind a layer that gives `in`."""
    for call in file.of(ast.Call):
        every = file.parent[call]
        if not _is_sized(call) or not isinstance(every, ast.Call) or call not in every.args:
            continue
        one, two = map(file.text, call.args[:2])
        before = [c for c in every.args[: every.args.index(call)] if _is_sized(c)]
        if one != two and before and file.text(before[-1].args[1]) == one:  # type: ignore[attr-defined]
            edits = (file.replace(call.args[0], two), file.replace(call.args[1], one))
            yield Change(call.lineno, edits)


def _is_sized(call: ast.AST) -> bool:
    """Whether this makes a layer that is given the sizes of what it takes and gives."""
    named = isinstance(call, ast.Call) and ast.unparse(call.func)
    return named in ("nn.Linear", "nn.Conv2d", "nn.Conv1d") and len(getattr(call, "args", ())) > 1


@plants(
    "softmax-over-other-axis",
    "softmax-axis-mismatch dimension-invalid class-dimension-wrong mask-after-softmax",
    "softmax",
)
def softmax_axis(file: File) -> Iterator[Change]:
    """`softmax(scores, dim=-2)` for `dim=-1` of what `matmul(q, k.transpose(-2, -1))` gives."""
    for call in file.of(ast.Call):
        if getattr(call.func, "attr", "") not in ("softmax", "log_softmax"):
            continue
        function = file.function(call)
        dims = [k.value for k in call.keywords if k.arg == "dim"] + call.args[-1:]
        asked = next((d for d in dims if ast.unparse(d) == "-1"), None)
        if (
            asked is not None
            and function is not None
            and "transpose(-2, -1)" in ast.unparse(function)
        ):
            yield Change(call.lineno, (file.replace(asked, "-2"),))


@plants("mask-on-queries", "padding-mask-on-queries", "unsqueeze")
def mask_on_queries(file: File) -> Iterator[Change]:
    """`mask.unsqueeze(1).unsqueeze(3)` for `.unsqueeze(1).unsqueeze(2)` of a padding mask."""
    for call in file.of(ast.Call):
        match call:
            case ast.Call(
                func=ast.Attribute(
                    attr="unsqueeze",
                    value=ast.Call(
                        func=ast.Attribute(attr="unsqueeze", value=inner),
                        args=[ast.Constant(value=1)],
                    ),
                ),
                args=[ast.Constant(value=2) as last],
            ) if re.search(r"mask|!= *\w*pad", ast.unparse(inner)):
                yield Change(call.lineno, (file.replace(last, "3"),))


@plants("mask-inverted", "padding-mask-inverted", "masked_fill")
def mask_inverted(file: File) -> Iterator[Change]:
    """`scores.masked_fill(mask == 1, -inf)` for `mask == 0`, of a mask that is true at tokens."""
    for call in file.of(ast.Call):
        match call:
            case ast.Call(
                func=ast.Attribute(attr="masked_fill" | "masked_fill_"),
                args=[
                    ast.Compare(ops=[ast.Eq()], comparators=[ast.Constant(value=0) as zero]),
                    value,
                ],
            ) if re.search(r"inf|-1e|- *\d|min", ast.unparse(value)):
                if re.search(rb"!= *(\w+\.)?\w*pad|attention_mask|tril", file.data):
                    yield Change(call.lineno, (file.replace(zero, "1"),))


@plants(
    "shuffle-dropped", "shuffle-missing windows-split-at-random loader-options-invalid", "shuffle"
)
def shuffle_dropped(file: File) -> Iterator[Change]:
    """`DataLoader(train_set, batch_size=b)` for one with `shuffle=True`."""
    for call in file.of(ast.Call):
        if (
            getattr(call.func, "attr", getattr(call.func, "id", "")) != "DataLoader"
            or not call.args
        ):
            continue
        shuffles = [
            k for k in call.keywords if k.arg == "shuffle" and ast.unparse(k.value) == "True"
        ]
        if shuffles and TRAINS.search(ast.unparse(call.args[0])):
            yield Change(call.lineno, (file.remove_argument(call, shuffles[0]),))


@plants("metric-keeps-graph", "loss-keeps-graph", "item")
def metric_keeps_graph(file: File) -> Iterator[Change]:
    """`total += loss` for `total += loss.item()` in a loop that goes backward."""
    for added in file.of(ast.AugAssign):
        loop = file.above(added, ast.For, *FUNCTIONS)
        trains = isinstance(loop, ast.For) and ".backward()" in ast.unparse(loop)
        for call in ast.walk(added.value) if trains else ():
            match call:
                case ast.Call(
                    func=ast.Attribute(attr="item", value=ast.Name(id=name) as loss), args=[]
                ):
                    goes = loop is not None and f"{name}.backward()" in ast.unparse(loop)
                    if goes:
                        yield Change(added.lineno, (file.replace(call, file.text(loss)),))


@plants("model-for-parameters", "wrong-kind-of-argument parameters-not-optimized", "optim")
def model_for_parameters(file: File) -> Iterator[Change]:
    """`Adam(model, lr=lr)` for `Adam(model.parameters(), lr=lr)`."""
    for call in file.of(ast.Call):
        match call.args:
            case [
                ast.Call(func=ast.Attribute(attr="parameters", value=model), args=[]) as given,
                *_,
            ]:
                if re.search(r"optim\.(Adam|AdamW|SGD|RMSprop)$", ast.unparse(call.func)):
                    yield Change(call.lineno, (file.replace(given, file.text(model)),))


@plants("function-not-called", "wrong-test", "is_available")
def function_not_called(file: File) -> Iterator[Change]:
    """`if torch.cuda.is_available:`."""
    for call in file.of(ast.Call):
        tested = isinstance(file.parent[call], (ast.If, ast.IfExp)) and not call.args
        if tested and ast.unparse(call.func) == "torch.cuda.is_available":
            yield Change(call.lineno, (file.replace(call, "torch.cuda.is_available"),))


@plants(
    "result-dropped", "tensor-result-discarded tensor-move-discarded result-lost value-never-used"
)
def result_dropped(file: File) -> Iterator[Change]:
    """`x.masked_fill(mask, 0)` for `x = x.masked_fill(mask, 0)`."""
    for assigned in file.of(ast.Assign):
        match assigned:
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.Call(func=ast.Attribute(value=ast.Name(id=of), attr=method)) as value,
            ) if (
                name == of
                and method in COPIES
                and re.fullmatch(
                    r"(x|inputs?|images?|masks?|\w+_mask|labels?|targets?|scores|logits)", name
                )
            ):
                yield Change(assigned.lineno, (file.replace(assigned, file.text(value)),))


@plants("list-shared-by-class", "class-attribute-shared", "self")
def list_shared_by_class(file: File) -> Iterator[Change]:
    """`items = []` in the class for `self.items = []` in `__init__`, which appends to it."""
    for owner in file.of(ast.ClassDef):
        for init in [m for m in owner.body if isinstance(m, FUNCTIONS) and m.name == "__init__"]:
            for made in init.body:
                match made:
                    case ast.Assign(targets=[target], value=ast.List(elts=[]) | ast.Dict(keys=[])):
                        pass
                    case _:
                        continue
                changed = [
                    c
                    for c in file.below(owner, ast.Call)
                    if isinstance(c.func, ast.Attribute)
                    and c.func.attr in ("append", "extend", "update")
                    and is_self(c.func.value, _word(target))
                ]
                stores = [
                    a for a in file.attributes(_word(target), owner) if isinstance(a.ctx, ast.Store)
                ]
                if is_self(target) and changed and len(stores) == 1:
                    first = owner.body[1] if ast.get_docstring(owner) else owner.body[0]
                    line = f"{_word(target)} = {ast.unparse(made.value)}\n\n{file.indent(first)}"
                    decorated = getattr(first, "decorator_list", [])
                    if not decorated:
                        yield Change(
                            made.lineno,
                            (
                                Edit(file.start(first), file.start(first), line),
                                file.remove(made),
                            ),
                        )


@plants("loader-of-other-set", "sibling-name value-never-used", "DataLoader")
def loader_of_other_set(file: File) -> Iterator[Change]:
    """`test_loader = DataLoader(train_set)`, so that nothing reads `test_set`."""
    calls = [
        c
        for c in file.of(ast.Call)
        if getattr(c.func, "attr", getattr(c.func, "id", "")) == "DataLoader"
        and c.args
        and isinstance(c.args[0], ast.Name)
    ]
    for first in calls:
        for second in calls:
            one, other = first.args[0].id, second.args[0].id  # type: ignore[attr-defined]
            body = file.function(first) or file.root
            if (
                one_word_apart(one, other)
                and first.lineno < second.lineno
                and (file.function(second) or file.root) is body
            ) and len(file.loads(other, body)) == 1:
                yield Change(second.lineno, (file.replace(second.args[0], one),))
