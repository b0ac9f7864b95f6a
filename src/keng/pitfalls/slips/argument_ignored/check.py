"""Source code: a function accepts an argument and computes with a constant in its place."""

from __future__ import annotations

import ast
import re

from keng.model import Fix, Hits, say
from keng.pitfalls.slips._shared import liveness
from keng.rules import finds
from keng.source import Code, Kind
from keng.source.tree import FUNCTIONS, Function

MEANT = re.compile(
    r"unused|ignor|deprecat|compat|not used|no-op|placeholder|reserved", re.IGNORECASE
)
WEIGHTY = re.compile(
    r"dim|axis|(\w+_)?drop(out|_?rate|_prob|_p)?|dropout_p|bias|qkv_bias|temperature|eps|margin|reduction|mask"
    r"|(\w+_)?mask|shuffle|ignore_index|label_smoothing|momentum|gamma|alpha|weight_decay|stride|padding|dilation"
    r"|groups|normalize|causal|lr|batch_size|num_workers"
)
"""Arguments on which the result depends wherever they are respected."""
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
            for hit in _hits(code, function, argument):
                if not _says_so(code, function, argument):
                    yield hit


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
        passed = _is_passed(code, function, argument)
        of_layer = OF_LAYERS.fullmatch(name) and not own
        evaluates = name in OF_LOADERS and code.evaluation.evaluates_by_name(constant)
        idle = (
            evaluates
            or (not passed and (of_layer or _is_default(code, function, argument, constant)))
            or (of_layer and _is_one_of_several(code, function, constant))
        )
        sure = own or bool(WEIGHTY.fullmatch(name))
        yield code.hit(constant, says, fix, sure, level="hint" if idle else None)
    elif _is_weighty(code, function, argument):
        yield code.hit(argument, say("ignored", name=name), sure=False)


def _is_passed(code: Code, function: Function, argument: ast.arg) -> bool:
    """Whether a call in the project gives an argument by its name or its place."""
    return any(
        code.at(tree).calls.bound_argument(call, function, argument.arg) is not None
        for tree, call in code.types.callers(function)
    )


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
