"""Source code: a function accepts an argument and computes with a constant in its place."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from keng.model import Fix, Hits, Severity, say
from keng.pitfalls.slips._shared import liveness, may_be_replaced
from keng.rules import finds
from keng.source import Code, Kind
from keng.source.tree import FUNCTIONS, Definition, Function, member

MEANT = re.compile(
    r"unused|ignor|deprecat|compat|not used|no-op|no effect|placeholder|reserved|\balways\b",
    re.IGNORECASE,
)
WEIGHTY = re.compile(
    r"dim|axis|(\w+_)?drop(out|_?rate|_prob|_p)?|dropout_p|bias|qkv_bias|temperature|eps|margin|reduction|mask"
    r"|(\w+_)?mask|shuffle|ignore_index|label_smoothing|momentum|gamma|alpha|weight_decay|stride|padding|dilation"
    r"|groups|normalize|causal|lr|batch_size|num_workers"
)
"""Arguments on which the result depends wherever they are respected."""
OF_INTERFACES = re.compile(
    r"use_cache|past_key_values?|return_dict|output_\w+|epochs?|(global_)?step|iteration|batch_idx|verbose|debug"
    r"|train(ing)?|is_train(ing)?|inplace|(act|norm)_layer|device|config|cfg|args|context|state|logger|writer"
)
"""Arguments that callers pass to every function of a kind."""
MOST_BY_MISTAKE = 2
"""Arguments of one function that are ignored. More of them are there for a signature that others share."""
OF_LAYERS = re.compile(r"(\w+_)?bias|stride|padding|dilation|groups|momentum|eps")
"""Arguments of layers that a class often takes because its siblings do."""
OF_LOADERS = ("batch_size", "num_workers")
"""Arguments on which an evaluation's time depends and not its result."""
KINDS = (Kind.MODULE, Kind.CRITERION, Kind.DATASET)


@finds(fixes=True)
def accepted_for_nothing(code: Code) -> Hits:
    for function, live in liveness(code).items():
        if isinstance(function, ast.Module) or not live.ignored or _keeps_all(code, function):
            continue
        for argument in live.ignored:
            several = len(live.ignored) > MOST_BY_MISTAKE
            # what a callee of the same parameter does not get is lost, whoever passes it to all
            lost = not several and _not_passed_on(code, function, argument) is not None
            petty = several or (not lost and _is_of_interface(code, function, argument))
            for hit in _hits(code, function, argument):
                if not _says_so(code, function, argument):
                    yield hit._replace(level="hint") if petty else hit


@finds
def keywords_for_nothing(code: Code) -> Hits:
    """`**kwargs` that the docstring passes on, and that nothing reads."""
    for function in code.of(ast.FunctionDef):
        given = function.args.kwarg
        said = ast.get_docstring(function) if given is not None else None
        if given is None or said is None or function.decorator_list:
            continue
        passes = re.search(
            rf"{given.arg}\b.*\b(passed|arguments?|args|parameters?|options)\b", said
        )
        method = isinstance(code.tree.parent[function], ast.ClassDef)
        if (
            passes
            and not method
            and not MEANT.search(said)
            and not _reads_name(code, function, given.arg)
        ):
            yield code.hit(given, say("keywords-ignored", name=given.arg), level="hint")


def _is_of_interface(code: Code, function: Function, argument: ast.arg) -> bool:
    """Whether an argument is likely there because a caller passes it to all: by its name, as that of an override,
    or because the function is handed on to be called."""
    if OF_INTERFACES.fullmatch(argument.arg) or function.name.startswith("on_"):
        return True
    owner = code.tree.parent[function]
    if isinstance(owner, ast.ClassDef):
        bases = [code.names.resolve(base) for base in owner.bases]
        of_layer = any(b.startswith("torch.nn.") and b != "torch.nn.Module" for b in bases)
        return of_layer or (function.name != "__init__" and not _is_own_method(code, function))
    named = code.tree.names_by_id.get(function.name, [])
    return any(_is_handed_on(code, name) for name in named)


def _is_handed_on(code: Code, name: ast.Name) -> bool:
    above = code.tree.parent[name]
    called = isinstance(above, ast.Call) and above.func is name
    return isinstance(name.ctx, ast.Load) and not called


def _reads_name(code: Code, function: Function, name: str) -> bool:
    names = {n.id for n in code.below(function, ast.Name)}
    return name in names or not names.isdisjoint(("locals", "inspect"))


@finds(fixes=True, mentions=["__init__"])
def stored_for_nothing(code: Code) -> Hits:
    """`self.top_k = top_k` that nothing reads, where a method has the default in its place."""
    for owner in code.of(ast.ClassDef):
        init = member(owner, ["__init__"])
        if isinstance(init, FUNCTIONS):
            for stored, default in _stored_unread(code, owner, init):
                for call in _calls_with(code, owner, init, default):
                    says = say("default-written-out", name=stored, value=code.text_of(default))
                    fix = Fix(
                        say("use", name=f"self.{stored}"),
                        (code.edits.replace(call, f"self.{stored}"),),
                    )
                    yield code.hit(call, says, fix)


def _stored_unread(
    code: Code, owner: ast.ClassDef, init: Function
) -> Iterator[tuple[str, ast.Constant]]:
    """The parameters that a constructor keeps on `self` under their names, with a number as default, and that
    nothing else mentions."""
    arguments = init.args.args
    for argument, default in zip(
        arguments[len(arguments) - len(init.args.defaults) :], init.args.defaults, strict=True
    ):
        name = argument.arg
        match default:
            case ast.Constant(value=int() | float() as value) if value not in (0, 1, 2, -1):
                pass
            case _:
                continue
        inside = code.tree.attributes_by_name.get(name, [])
        mentions = [each for each in inside if code.within(each, owner)]
        kept = len(mentions) == 1 and code.classes.self_class(mentions[0].value) is owner
        reads = [n for n in code.tree.names_by_id.get(name, []) if code.within(n, init)]
        stored = kept and len(reads) == 1 and isinstance(mentions[0].ctx, ast.Store)
        if stored and code.tree.parent[mentions[0]] is code.tree.parent[reads[0]]:
            yield name, default


def _calls_with(
    code: Code, owner: ast.ClassDef, init: Function, default: ast.Constant
) -> Iterator[ast.Constant]:
    """The only argument of a call in the other methods that is this number; none where there are several."""
    same = [
        each
        for each in code.below(owner, ast.Constant)
        if type(each.value) is type(default.value)
        and each.value == default.value
        and not code.within(each, init)
        and isinstance(code.tree.parent[each], (ast.Call, ast.keyword))
    ]
    if len(same) == 1:
        yield same[0]


def _keeps_all(code: Code, function: Function) -> bool:
    """Whether a function calls what reads all its arguments from its frame, as Lightning's
    `self.save_hyperparameters()` does."""
    calls = code.below(function, ast.Call)
    return any(getattr(call.func, "attr", "") == "save_hyperparameters" for call in calls)


def _hits(code: Code, function: Function, argument: ast.arg) -> Hits:
    name = argument.arg
    constant = _constant_for(code, function, name)
    if constant is not None:
        says = say("constant", name=name, value=code.text_of(constant))
        fix = Fix(say("use", name=name), (code.edits.replace(constant, name),))
        own = isinstance(code.tree.parent[constant], ast.Assign)
        beside = _is_beside_others(code, constant)
        passed = _is_passed(code, function, argument, constant)
        of_layer = OF_LAYERS.fullmatch(name) and not own
        evaluates = name in OF_LOADERS and code.evaluation.evaluates_by_name(constant)
        idle = (
            evaluates
            or (not passed and (of_layer or _is_default(code, function, argument, constant)))
            or (of_layer and _is_one_of_several(code, function, constant))
        )
        sure = own or beside or bool(WEIGHTY.fullmatch(name))
        yield code.hit(constant, says, fix, sure, level="hint" if idle else None)
    elif left_out := _not_passed_on(code, function, argument):
        call, callee = left_out
        fix = None
        if call.args or call.keywords:
            last = max([*call.args, *call.keywords], key=lambda each: code.tree.bounds(each)[1])
            fix = Fix(
                say("pass", name=name), (code.edits.append(last, f", {name}={name}"),), "unsafe"
            )
        says = say("not-passed-on", name=name, function=callee)
        yield code.hit(call, says, fix, level=_level(code, function, argument))
    elif written := _default_in_call(code, function, argument):
        says = say("constant", name=name, value=code.text_of(written))
        fix = Fix(say("use", name=name), (code.edits.replace(written, name),))
        level: Severity | None = None if _is_passed(code, function, argument, written) else "hint"
        yield code.hit(written, says, fix, level=level)
    elif others := _passed_with_others(code, function, argument):
        call, sibling = others
        says = say("siblings-used", name=name, sibling=sibling)
        yield code.hit(call, says, level=_level(code, function, argument))
    elif used := _used_siblings(code, function, name):
        says = say("siblings-used", name=name, sibling=used)
        yield code.hit(argument, says, level=_level(code, function, argument))
    elif _is_varied(code, function, argument) or _is_an_option(code, function, argument):
        weighs = WEIGHTY.fullmatch(name) is not None
        yield code.hit(argument, say("ignored", name=name), level=None if weighs else "hint")
    elif _is_weighty(code, function, argument):
        yield code.hit(argument, say("ignored", name=name), sure=False)


def _level(code: Code, function: Function, argument: ast.arg) -> Severity | None:
    """A hint where an argument may be left out, and no call that is seen gives it a value of its own. A `forward` is
    called by frameworks, with all that a batch holds."""
    default = code.flow.default_of_argument(function, argument)
    if default is None or function.name == "forward":
        return None
    return None if _is_passed(code, function, argument, default) else "hint"


def _may_be_passed(code: Code, function: Function, argument: ast.arg) -> bool:
    """Whether a parameter is not there because a protocol asks for it: `batch_idx` of a step, or of an override."""
    if not isinstance(code.tree.parent[function], ast.ClassDef) or function.name == "__init__":
        return not _shares_signature(code, function)
    optional = code.flow.default_of_argument(function, argument) is not None
    return optional and _is_own_method(code, function)


def _is_own_method(code: Code, function: Function) -> bool:
    """Whether no base of a method's class that is unknown, and no other class, may ask for its parameters."""
    owner = code.tree.parent[function]
    if not isinstance(owner, ast.ClassDef):
        return function.args.args[:1] == [] or function.args.args[0].arg != "self"
    for each in code.classes.mro(owner):
        there = code.at(each.tree)
        for base in getattr(each.node, "bases", ()):
            dotted = there.names.resolve(base)
            known = there.classes.named(base) is not None
            if not known and not dotted.startswith(("torch.nn.Module", "builtins.object")):
                return function.name == "__init__"
    return not may_be_replaced(code, function)


def _shares_signature(code: Code, function: Function) -> bool:
    """Whether several functions of the file take the same parameters, as those of a register do."""
    alike = [f for f in code.of(ast.FunctionDef) if _names_taken(f) == _names_taken(function)]
    return function.name != "__init__" and len(alike) > 2


def _names_taken(function: Function) -> list[str]:
    given = function.args
    return [a.arg for a in (*given.posonlyargs, *given.args, *given.kwonlyargs)]


def _not_passed_on(
    code: Code, function: Function, argument: ast.arg
) -> tuple[ast.Call, str] | None:
    """The one call in a function of another function of the project that has a parameter of that name with a
    default, and does not get it; and the name of that function."""
    found: list[tuple[ast.Call, str]] = []
    name = argument.arg
    for call in code.below(function, ast.Call) if _may_be_passed(code, function, argument) else ():
        if any(isinstance(a, ast.Starred) for a in call.args) or any(
            k.arg in (name, None) for k in call.keywords
        ):
            continue
        callee = _callee(code, call)
        if callee is None or callee.node is function or not isinstance(callee.node, FUNCTIONS):
            continue
        if code.within(call, function.args):
            continue  # a default, computed where the function is defined
        taken = [
            *callee.node.args.posonlyargs,
            *callee.node.args.args,
            *callee.node.args.kwonlyargs,
        ]
        named = next((a for a in taken if a.arg == name), None)
        there = code.at(callee.tree)
        if named is None or named in liveness(there)[callee.node].ignored:
            continue
        optional = named and there.flow.default_of_argument(callee.node, named) is not None
        if optional and there.calls.bound_argument(call, callee.node, name) is None:
            found.append((call, code.text_of(call.func)))
    return found[0] if len(found) == 1 else None


def _passed_with_others(
    code: Code, function: Function, argument: ast.arg
) -> tuple[ast.Call, str] | None:
    """The one call to which a function passes several of its parameters under their names, and one of these."""
    closed = _is_closed(code, function) and not _shares_signature(code, function)
    if not closed or argument.arg in ("self", "cls"):
        return None
    taken = {
        a.arg for a in [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    }
    found: list[tuple[ast.Call, str]] = []
    for call in code.below(function, ast.Call):
        same = [
            k.arg
            for k in call.keywords
            if k.arg in taken and isinstance(k.value, ast.Name) and k.value.id == k.arg
        ]
        given = any(k.arg in (argument.arg, None) for k in call.keywords)
        if len(same) > 1 and not given and _may_take(code, call, argument.arg):
            found.append((call, str(same[0])))
    optional = code.flow.default_of_argument(function, argument) is not None
    return found[0] if len(found) == 1 and optional else None


def _may_take(code: Code, call: ast.Call, name: str) -> bool:
    """Whether what is called may have a parameter of that name: all but a function of the project that has none."""
    callee = _callee(code, call)
    if callee is None or not isinstance(callee.node, FUNCTIONS):
        return True
    return callee.node.args.kwarg is not None or name in _names_taken(callee.node)


def _callee(code: Code, call: ast.Call) -> Definition | None:
    """The function of the project that a call runs: that of a class is its constructor."""
    there = code.types.definition(call.func)
    if there is None or not isinstance(there.node, ast.ClassDef):
        return there
    init = member(there.node, ["__init__"])
    return Definition(there.tree, init) if isinstance(init, FUNCTIONS) else None


def _default_in_call(code: Code, function: Function, argument: ast.arg) -> ast.expr | None:
    """The one argument of a call in a function that is the default of a parameter: a number that is no start
    value, or what a function of the project takes under the parameter's name."""
    default = code.flow.default_of_argument(function, argument)
    if not isinstance(default, ast.Constant) or isinstance(default.value, (bool, type(None))):
        return None
    same = [
        each
        for each in code.below(function, ast.Constant)
        if type(each.value) is type(default.value) and each.value == default.value
    ]
    same = [each for each in same if not code.within(each, function.args)]
    given = [each for each in same if isinstance(code.tree.parent[each], ast.Call)]
    if len(given) != 1 or not _always(code, given[0], function):
        return None
    telling = isinstance(default.value, (int, float)) and default.value not in (0, 1, 2, 3, 4, -1)
    return given[0] if telling and len(same) == 1 else _bound_alike(code, given[0], argument.arg)


def _bound_alike(code: Code, given: ast.Constant, name: str) -> ast.expr | None:
    """A constant that a call gives to a parameter of that name."""
    call = code.tree.parent[given]
    callee = _callee(code, call) if isinstance(call, ast.Call) else None
    if callee is None or not isinstance(call, ast.Call) or not isinstance(callee.node, FUNCTIONS):
        return None
    bound = code.at(callee.tree).calls.bound_argument(call, callee.node, name)
    return given if bound is given else None


def _is_beside_others(code: Code, constant: ast.expr) -> bool:
    """Whether the call that gets a constant gets another argument from the parameter of its name."""
    keyword = code.tree.parent[constant]
    call = code.tree.parent[keyword]
    return isinstance(call, ast.Call) and any(
        isinstance(k.value, ast.Name) and k.value.id == k.arg for k in call.keywords
    )


def _used_siblings(code: Code, function: Function, name: str) -> str:
    """A parameter with the same first word that a call gets under its other words, as in
    `EMA(net, update_every=ema_update_every)`; "" where there are not two."""
    first, _, rest = name.partition("_")
    if not rest or function.args.kwarg or function.args.vararg:
        return ""
    for call in code.below(function, ast.Call):
        given = [
            k.value.id
            for k in call.keywords
            if isinstance(k.value, ast.Name) and k.value.id == f"{first}_{k.arg}"
        ]
        if len(given) > 1 and not any(k.arg in (rest, None) for k in call.keywords):
            return given[0]
    return ""


def _is_varied(code: Code, function: Function, argument: ast.arg) -> bool:
    """Whether callers in the project give an argument different constants, and expect a difference."""
    if not _is_own(code, function) or argument.arg in ("self", "cls"):
        return False
    given = set[str]()
    for tree, call in code.types.callers(function):
        value = code.at(tree).calls.bound_argument(call, function, argument.arg)
        if isinstance(value, ast.Constant) and isinstance(value.value, (int, float)):
            given.add(repr(value.value))
    return len(given) > 1


def _is_an_option(code: Code, function: Function, argument: ast.arg) -> bool:
    """Whether a caller gives an argument what the user of the program chose: `args.dropout`."""
    if not _is_own(code, function) or argument.arg in ("self", "cls"):
        return False
    for tree, call in code.types.callers(function):
        there = code.at(tree)
        value = there.calls.bound_argument(call, function, argument.arg)
        if isinstance(value, ast.Attribute) and there.states.parsed_arguments(value.value):
            return True
    return False


def _is_own(code: Code, function: Function) -> bool:
    """Whether a function has a signature of its own, and more than a line: no base, heir, other function or
    protocol shares it."""
    if isinstance(code.tree.parent[function], ast.ClassDef) and function.name != "__init__":
        return False
    body = [s for s in function.body if not isinstance(s, (ast.Expr, ast.Pass, ast.Raise))]
    return len(body) > 1 and _is_closed(code, function)


def _is_closed(code: Code, function: Function) -> bool:
    """Whether a function takes just its parameters, and no base or heir has another in its place."""
    if function.args.kwarg or function.args.vararg or function.decorator_list:
        return False
    return _is_own_method(code, function)


def _is_passed(code: Code, function: Function, argument: ast.arg, constant: ast.expr) -> bool:
    """Whether a call in the project gives an argument, by its name or its place, another value than a
    constant."""
    for tree, call in code.types.callers(function):
        given = code.at(tree).calls.bound_argument(call, function, argument.arg)
        if given is not None and ast.unparse(given) != ast.unparse(constant):
            return True
    return False


def _is_default(code: Code, function: Function, argument: ast.arg, constant: ast.expr) -> bool:
    """Whether a constant is what an argument is where nothing is passed."""
    default = code.flow.default_of_argument(function, argument)
    return default is not None and code.text_of(default) == code.text_of(constant)


def _is_one_of_several(code: Code, function: Function, constant: ast.expr) -> bool:
    """Whether a constant is given to one of several layers of a kind, each of which has its own."""
    match code.tree.parent[code.tree.parent[constant]]:
        case ast.Call(func=layer):
            alike = [
                c
                for c in code.below(function, ast.Call)
                if ast.unparse(c.func) == ast.unparse(layer)
            ]
            return len(alike) > 1
    return False


def _is_weighty(code: Code, function: Function, argument: ast.arg) -> bool:
    owner = code.tree.parent[function]
    if not isinstance(owner, ast.ClassDef) or function.name not in ("__init__", "forward"):
        return False
    if function.args.kwarg or function.args.vararg or not WEIGHTY.fullmatch(argument.arg):
        return False
    abstract = code.classes.is_abstract_method(function)
    return not abstract and code.types.kind_of_class(owner) in KINDS


def _constant_for(code: Code, function: Function, name: str) -> ast.expr | None:
    """The constant that a function puts on `self` under the name of an argument, or gives to a call by it."""
    nodes: list[ast.Assign | ast.keyword] = []
    if function.name == "__init__":
        nodes += code.below(function, ast.Assign)
    for node in [*nodes, *code.below(function, ast.keyword)]:
        value = node.value
        if isinstance(node, ast.Assign):
            named = _own_attribute(node.targets[0]) == name
        else:
            named = node.arg == name and not _is_config(code.tree.parent[node])
        if named and _is_plain(value) and _always(code, node, function):
            return value
    return None


def _own_attribute(target: ast.expr) -> str:
    match target:
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            return name
    return ""


def _is_config(call: ast.AST) -> bool:
    """Whether a call records settings and computes nothing: `self.register_to_config(dim=1)`."""
    return "config" in ast.unparse(getattr(call, "func", call)).lower()


def _is_plain(value: ast.expr) -> bool:
    value = value.operand if isinstance(value, ast.UnaryOp) else value
    return isinstance(value, ast.Constant) and value.value is not None


def _always(code: Code, node: ast.AST, function: Function) -> bool:
    """Whether a statement is that of the function itself, and no choice among several."""
    return code.around(node, ast.If, ast.Try, ast.ExceptHandler, *FUNCTIONS, ast.Lambda) is function


def _says_so(code: Code, function: Function, argument: ast.arg) -> bool:
    """Whether the text of a function says that the argument is not used, or its name does."""
    if argument.arg.startswith("_"):
        return True
    start, end = code.tree.position(function)[0], function.end_lineno or function.lineno
    lines = (code.source.line(number) for number in range(start, end + 1))
    return any(argument.arg in line and MEANT.search(line) for line in lines)
