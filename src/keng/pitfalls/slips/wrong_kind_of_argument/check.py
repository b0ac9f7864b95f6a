"""Source code: a function of PyTorch gets an argument of a kind that it does not take."""

from __future__ import annotations

import ast
import re

from keng.model import Edit, Fix, Hits, say
from keng.rules import finds
from keng.source import Code, Kind
from keng.source.tree import FUNCTIONS, Function, member
from keng.tables.torch_names import OPTIMIZERS

NORMS = tuple(f"torch.nn.BatchNorm{n}d" for n in (1, 2, 3))
RESIZES = ("torchvision.transforms.Resize", "torchvision.transforms.v2.Resize")
WIDTHS = re.compile(r"width|(^|_)w$|size|(^|_)cols?$", re.IGNORECASE)
SIZED = frozenset(
    f"torch.{name}"
    for name in ("randint", "normal", "rand", "randn", "zeros", "ones", "empty", "full")
)
COUNTS = re.compile(r"(?:batch_size|num_\w+|n_\w+|\w+_size|size|length)")
LOSS_WORD = re.compile(r"loss|criterion", re.IGNORECASE)
GATHERS = frozenset(
    f"torch.distributed.{name}" for name in ("all_gather", "all_reduce", "broadcast")
)


@finds(fixes=True)
def of_a_wrong_kind(code: Code) -> Hits:
    yield from _reduction(code)
    yield from _loss_given_to_backward(code)
    yield from _models_for_parameters(code)
    yield from _features_for_eps(code)
    yield from _share_of_old_value(code)
    yield from _width_for_interpolation(code)
    yield from _bias_for_truth(code)
    yield from _first_position_for_all(code)
    yield from _iterator_kept(code)
    yield from _number_for_size(code)
    yield from _nothing_kept(code)
    yield from _seed_without_value(code)
    yield from _attribute_of_weight(code)
    yield from _too_many_for_method(code)
    yield from _keyword_not_taken(code)


def _reduction(code: Code) -> Hits:
    """`reduction=None` of a loss, which takes the word "none"."""
    for keyword in code.tree.keywords_by_name.get("reduction", []):
        call = code.tree.parent[keyword]
        given = call.func if isinstance(call, ast.Call) else None
        nothing = given is not None and code.flow.is_constant(keyword.value, None)
        if given is not None and nothing and LOSS_WORD.search(ast.unparse(given)):
            yield code.hit(keyword.value, say("reduction"))


def _loss_given_to_backward(code: Code) -> Hits:
    """`loss.backward(loss)`: the gradient that the loss starts with is the loss itself."""
    for call in code.calls.method_calls("backward"):
        match call:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=loss)), args=[ast.Name(id=given)]
            ) if loss == given:
                yield code.hit(call.args[0], say("loss-as-gradient", loss=loss))


def _models_for_parameters(code: Code) -> Hits:
    """`SGD(model, ...)`."""
    if b"optim" not in code.tree.data:
        return
    for call in code.calls.calls_with(OPTIMIZERS.__contains__):
        given = call.args[0] if call.args else None
        if isinstance(given, (ast.Name, ast.Attribute)) and code.names.resolve(
            call.func
        ).startswith("torch.optim."):
            optimizer = code.types.kind_of(call) is Kind.OPTIMIZER
            if optimizer and code.types.kind_of(given) is Kind.MODULE:
                yield code.hit(given, say("model-for-parameters", model=code.text_of(given)))


def _features_for_eps(code: Code) -> Hits:
    """`BatchNorm2d(n, n)`: the second argument is eps."""
    for call in code.calls.calls_to(*NORMS):
        match call.args:
            case [ast.expr() as one, ast.Name() | ast.Attribute() as two]:
                if ast.unparse(one) == ast.unparse(two):
                    yield code.hit(two, say("features-for-eps", given=code.text_of(two)))


def _share_of_old_value(code: Code) -> Hits:
    """`BatchNorm2d(n, momentum=0.9)`: PyTorch's momentum is the share of the new batch."""
    for call in code.calls.calls_to(*NORMS):
        momentum = code.calls.argument(call, "momentum", 2)
        match momentum:
            case ast.Constant(value=float(share)) if 0.9 <= share < 1:
                fix = Fix(
                    say("share-of-batch", share=round(1 - share, 6)),
                    (code.edits.replace(momentum, f"{1 - share:.6g}"),),
                )
                yield code.hit(momentum, say("share-of-old-value", share=share), fix, once=True)


def _width_for_interpolation(code: Code) -> Hits:
    """`Resize(height, width)`: the second argument is the interpolation."""
    for call in code.calls.calls_to(*RESIZES):
        match call.args:
            case [one, ast.Name() | ast.Attribute() | ast.Constant(value=int()) as two]:
                word = two.attr if isinstance(two, ast.Attribute) else getattr(two, "id", "")
                large = isinstance(two, ast.Constant) and int(str(two.value)) > 5
                if large or WIDTHS.search(word):
                    text = f"({code.text_of(one)}, {code.text_of(two)})"
                    start, end = code.tree.bounds(one)[0], code.tree.bounds(two)[1]
                    fix = Fix(say("size-as-tuple"), (Edit(start, end, text),))
                    yield code.hit(
                        two, say("width-for-interpolation", given=code.text_of(two)), fix
                    )


def _bias_for_truth(code: Code) -> Hits:
    """`Conv2d(n, m, k, bias=old.bias)`: the argument is a truth value, and a bias is a tensor."""
    for keyword in code.tree.keywords_by_name.get("bias", []):
        call = code.tree.parent[keyword]
        match keyword:
            case ast.keyword(value=ast.Attribute(attr="bias", value=layer) as given):
                made = isinstance(call, ast.Call) and code.names.resolve(call.func)
                if (
                    made
                    and made.startswith("torch.nn.")
                    and _copies_layer(call, ast.unparse(layer))
                ):
                    fix = Fix(say("is-not-none"), (code.edits.append(given, " is not None"),))
                    yield code.hit(given, say("bias-for-truth", given=code.text_of(given)), fix)


def _copies_layer(call: ast.AST, layer: str) -> bool:
    """Whether a call takes the sizes of a layer too, as it builds one like it."""
    sizes = ("in_channels", "out_channels", "in_features", "out_features", "kernel_size")
    asked = {ast.unparse(n) for n in ast.walk(call) if isinstance(n, ast.Attribute)}
    return any(f"{layer}.{size}" in asked for size in sizes)


def _first_position_for_all(code: Code) -> Hits:
    """`for i in mask.nonzero()[0]`: a row of a tensor's `nonzero()` is one position, and not all along one axis."""
    for call in code.calls.method_calls("nonzero"):
        item = code.tree.parent[call]
        match item:
            case ast.Subscript(slice=ast.Constant(value=0)) if not call.args and not call.keywords:
                above = code.tree.parent[item]
                listed = isinstance(above, ast.Attribute) and above.attr == "tolist"
                gone_over = isinstance(above, (ast.For, ast.comprehension)) and above.iter is item
                tensor = code.types.kind_of(code.tree.receiver(call)) is Kind.TENSOR
                if tensor and (listed or gone_over):
                    end = code.tree.bounds(call)[1] - 1
                    fix = Fix(say("as-tuple"), (Edit(end, end, "as_tuple=True"),))
                    yield code.hit(item, say("first-position", call=code.text_of(call)), fix)


def _iterator_kept(code: Code) -> Hits:
    """`{"steps": zip(steps, scales)}`: a setting that is empty after its first use."""
    for call in code.calls.calls_to("builtins.zip", "builtins.map", "builtins.filter"):
        above = code.tree.parent[call]
        made = code.calls.attribute_name(call.func)
        match above:
            case ast.Dict(keys=keys, values=values) if call in values:
                if code.flow.text_constant(keys[values.index(call)]) in ("params", ""):
                    continue  # an optimizer goes over them once
                if isinstance(code.tree.parent[above], ast.Call):
                    continue  # as does a table that is made of them: `DataFrame({"group": map(f, y)})`
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self"))]):
                if getattr(code.tree.enclosing_function(call), "name", "") != "__init__":
                    continue
            case _:
                continue
        text = f"list({code.text_of(call)})"
        fix = Fix(say("keep-list"), (code.edits.replace(call, text),))
        yield code.hit(call, say("iterator-kept", made=made), fix)


def _number_for_size(code: Code) -> Hits:
    """`randint(0, n, size=batch_size)`: the keyword takes a tuple."""
    for keyword in code.tree.keywords_by_name.get("size", []):
        call = code.tree.parent[keyword]
        if not isinstance(call, ast.Call) or code.names.resolve(call.func) not in SIZED:
            continue
        value = keyword.value
        plain = isinstance(value, ast.Constant) and isinstance(value.value, int)
        if plain or (
            isinstance(value, ast.Name) and COUNTS.fullmatch(value.id) and _is_number(code, value)
        ):
            yield code.hit(value, say("number-for-size", given=code.text_of(value)))


def _is_number(code: Code, name: ast.Name) -> bool:
    """Whether a name is counted with: it is an annotated int, or one of the sizes of a shape."""
    for binding in code.names.bindings(name):
        if isinstance(binding.node, ast.arg) and binding.node.annotation is not None:
            return "int" in ast.unparse(binding.node.annotation).split("[")[0]
    function = code.tree.enclosing_body(name)
    others = [n for n in code.below(function, ast.Name) if n.id == name.id and n is not name]
    others = [n for n in others if isinstance(n.ctx, ast.Load)]
    return any(isinstance(code.tree.parent[n], (ast.Tuple, ast.BinOp)) for n in others)


def _nothing_kept(code: Code) -> Hits:
    """`x = dist.all_gather(...)`: the result is None, or a handle of the work."""
    for call in code.calls.calls_to(*sorted(GATHERS)):
        above = code.tree.parent[call]
        waits = any(k.arg == "async_op" for k in call.keywords)
        if (
            not waits
            and isinstance(above, (ast.Assign, ast.BinOp, ast.Return))
            and len(call.args) < 4
        ):
            if isinstance(above, ast.Assign) and _is_handle(above):
                continue
            if not isinstance(above, ast.Return):
                yield code.hit(call, say("nothing-returned", call=code.text_of(call.func)))


def _is_handle(assigned: ast.Assign) -> bool:
    return bool(re.search(r"work|handle|req|fut|_", ast.unparse(assigned.targets[0])))


def _seed_without_value(code: Code) -> Hits:
    """`manual_seed(args.seed)` of an option whose default is None, which other places ask for."""
    if b"manual_seed(" not in code.tree.data or b"--seed" not in code.tree.data:
        return
    seeds = code.tree.attributes_by_name.get("seed", [])
    filled = any(isinstance(each.ctx, ast.Store) for each in seeds)  # `args.seed = randint(...)`
    if filled or not _option_may_be_none(code, "--seed"):
        return
    for call in code.calls.method_calls("manual_seed"):
        given = call.args[0] if len(call.args) == 1 else None
        if (
            isinstance(given, ast.Attribute)
            and given.attr == "seed"
            and _is_of_parser(code, given.value)
            and not _is_asked(code, call)
            and not _is_called_with_seed(code, call)
        ):
            yield code.hit(given, say("seed-may-be-none", given=code.text_of(given)))


def _is_of_parser(code: Code, holder: ast.expr, depth: int = 4) -> bool:
    """Whether an object is what `parse_args()` gives, here or where the function around it is called, or a global of
    this file."""
    if code.states.parsed_arguments(holder):
        return True
    for binding in code.flow.reaching_definitions(holder) if isinstance(holder, ast.Name) else ():
        given = code.types.argument_values(binding.node)
        if any(
            depth and each and _is_of_parser(code.at(tree), each, depth - 1) for tree, each in given
        ):
            return True
    return False


def _option_may_be_none(code: Code, name: str) -> bool:
    for call in code.calls.method_calls("add_argument"):
        if call.args and code.tree.is_text(call.args[0], name):
            default = next((k.value for k in call.keywords if k.arg == "default"), None)
            required = any(k.arg == "required" for k in call.keywords)
            return not required and (default is None or code.flow.is_constant(default, None))
    return False


def _is_asked(code: Code, call: ast.Call) -> bool:
    """Whether a call is made only if there is a seed."""
    tests = [a.test for a in code.tree.ancestors(call) if isinstance(a, (ast.If, ast.IfExp))]
    return any(".seed" in ast.unparse(test) for test in tests)


def _is_called_with_seed(code: Code, call: ast.Call) -> bool:
    """Whether a call is in a function that is itself called only if there is a seed."""
    function = code.tree.enclosing_function(call)
    calls = code.calls.calls_named(function.name) if isinstance(function, FUNCTIONS) else []
    return bool(calls) and all(_is_asked(code, each) for each in calls)


def _attribute_of_weight(code: Code) -> Hits:
    """`layer.weight.bias`: a weight is a tensor and has no bias."""
    for attribute in code.tree.attributes_by_name.get("bias", []):
        match attribute.value:
            case ast.Attribute(attr="weight", value=ast.Name() | ast.Attribute()) if isinstance(
                attribute.ctx, ast.Load
            ):
                yield code.hit(attribute, say("of-weight", text=code.text_of(attribute)))


def _too_many_for_method(code: Code) -> Hits:
    """`self.kl_loss(z, mu, logvar)` where the class defines `kl_loss(self, mu, logvar)`."""
    for owner in code.of(ast.ClassDef):
        methods = {each.name: each for each in owner.body if isinstance(each, FUNCTIONS)}
        for call in code.below(owner, ast.Call) if methods else ():
            match call:
                case ast.Call(func=ast.Attribute(value=ast.Name(id="self") as own, attr=name)):
                    method = methods.get(name)
                case _:
                    continue
            if method is None or len(call.args) < len(code.tree.parameters(method)):
                continue
            spread = any(isinstance(each, ast.Starred) for each in call.args)
            ours = code.classes.self_class(own) is owner and member(owner, [name]) is method
            if ours and not spread and _is_what_runs(code, owner, method):
                most, given = len(code.tree.parameters(method)) - 1, len(call.args)
                yield code.hit(call, say("too-many", method=name, most=most, given=given))


def _keyword_not_taken(code: Code) -> Hits:
    """`get_model(name, to_cuda=True)` of `def get_model(name, cpu_run=False)`."""
    for call in code.of(ast.Call):
        if not call.keywords:
            continue
        match call.func:
            case ast.Name(id=called) | ast.Attribute(attr=called, value=ast.Name()):
                pass
            case _:
                continue
        if called[:1].isupper():
            continue
        spread = any(k.arg is None for k in call.keywords)
        if spread or _is_on_object(code, call.func):
            continue
        there = code.classes.named(call.func)
        function = there.node if there is not None else None
        if not isinstance(function, ast.FunctionDef) or function.args.kwarg is not None:
            continue
        taken = _names_taken(function)
        unknown = [keyword for keyword in call.keywords if keyword.arg not in taken]
        if function.decorator_list or not unknown or code.modes.in_try_or_raises(call):
            continue
        says = say("keyword-not-taken", function=function.name, name=unknown[0].arg)
        yield code.hit(unknown[0], says)


def _names_taken(function: Function) -> set[str]:
    given = function.args
    single = [given.vararg] if given.vararg is not None else []
    return {a.arg for a in (*given.posonlyargs, *given.args, *single, *given.kwonlyargs)}


def _is_on_object(code: Code, function: ast.expr) -> bool:
    """Whether a method is called on something else than a module of the project."""
    if not isinstance(function, ast.Attribute) or not isinstance(function.value, ast.Name):
        return False
    found = code.names.bindings(function.value)
    return [b.how for b in found] != ["import"]


def _is_what_runs(code: Code, owner: ast.ClassDef, method: Function) -> bool:
    """Whether a method of a class, with just its parameters, runs where an instance is asked for it."""
    open_ = method.args.vararg is not None or bool(method.decorator_list)
    replaced = method.name in code.classes.attributes(owner)
    if open_ or replaced or code.classes.is_abstract_method(method):
        return False
    return not any(member(heir.node, [method.name]) for heir in code.classes.subclasses(owner))
