"""Source code: a layer is put into the model after the optimizer was made."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from keng.model import Fix, Hits, say
from keng.pitfalls.training._shared import moved_below
from keng.pitfalls.training.parameters_not_optimized.protocol import StepsForTheOld
from keng.rules import finds
from keng.source import Code, Grad, Kind
from keng.source.execution.events import Did
from keng.source.execution.values import Constant, Object, Role, leaves
from keng.source.objects import CALL, Read, Uses
from keng.source.tree import FUNCTIONS, Tree, names_in
from keng.source.types.kinds import MODULES
from keng.source.types.tables import MODULE_CHAIN

WEIGHTED = frozenset(
    f"torch.nn.{name}"
    for name in (
        "Linear Bilinear Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d Embedding "
        "BatchNorm1d BatchNorm2d BatchNorm3d LayerNorm GroupNorm LSTM GRU RNN MultiheadAttention "
        "PReLU TransformerEncoderLayer TransformerDecoderLayer"
    ).split()
)
"""Layers of torch.nn that always have parameters."""
TOUCHES = re.compile(r"requires_grad|add_param_group|\.grad\b|functional_call|deepcopy")
"""What a file may do to the parameters of a network that no optimizer holds."""
PRETRAINED = re.compile(
    r"pretrain|load|hub|weights=|requires_grad|no_grad|vgg|optim|self\.parameters", re.IGNORECASE
)

FIXED = re.compile(
    r"target|teacher|ema|momentum|frozen|fixed|random|judge|prior|vgg|lpips|old|ref", re.I
)
"""How networks are named that are not to learn."""
OF_LEFT_OUT = frozenset({CALL, "train", "eval", "zero_grad", "state_dict", "to", "cuda", "apply"})
"""What is done with a network that nothing optimizes."""
CUTS = frozenset({"detach", "detach_", "data", "item", "numpy"})


@finds(fixes=True, mentions=["parameters"])
def layer_put_in_too_late(code: Code) -> Hits:
    for made, model, layer in _layers_after_optimizer(code):
        name, line = code.text_of(layer), code.tree.line_of(made)
        says = say("not-optimizer-took-parameters", layer=name, model=model, line=line)
        yield code.hit(layer, says, fix=_made_after(code, made, layer))


@finds(mentions=["step"])
def network_replaced_too_late(code: Code) -> Hits:
    """As the file runs: `model = Net()` again, or on an object, after the optimizer was made."""
    for optimizer in code.execution.objects(Role.OPTIMIZER):
        made = optimizer.node
        if optimizer.given or made not in code.tree.parent:
            continue
        rule = StepsForTheOld(code.execution, optimizer)
        for event in code.execution.watched(rule).found[:1]:
            if not code.execution.is_shown(event.place, layer_put_in_too_late(code)):
                name, line = code.text_of(event.place), code.tree.line_of(made) or 0
                yield code.hit(event.place, say("network-replaced", name=name, line=line))


@finds(mentions=["step"])
def network_given_to_no_optimizer(code: Code) -> Hits:
    """As the file runs: a new network enters the losses of an optimizer, which holds the parameters of others."""
    for network in _held_by_none(code):
        made = network.node
        name = code.tree.target_of(made) if isinstance(made, ast.Call) else ""
        if name and made is not None:
            yield code.hit(made, say("held-by-none", names=f"`{name}`"))


@finds(mentions=["backward"])
def network_left_out(code: Code) -> Hits:
    """By what the program does with a network: it is called where a loop trains, and no path reads its parameters,
    while an optimizer of the file is given those of others."""
    if TOUCHES.search(code.text) or code.names.uses_framework():
        return
    for made, name in _new_networks(code):
        uses, own = code.objects.uses(made), _methods_of(code, made)
        if uses.escapes or uses.attributes - OF_LEFT_OUT - own or not _trains_with(code, uses, own):
            continue
        if any(_in_a_module(code.at(read.tree), read.node) for read in uses.reads):
            continue  # given to a module, it is a part of it
        shown = [*network_given_to_no_optimizer(code), *layer_put_in_too_late(code)]
        if not code.execution.is_shown(made, shown):
            yield code.hit(made, say("held-by-none", names=f"`{name}`"))


def _new_networks(code: Code) -> Iterator[tuple[ast.Call, str]]:
    """The calls that make networks with new weights, each with its name or attribute, where the file makes an
    optimizer of other parameters in the same function or class."""
    homes = {_home(code, call) for call in _made_of_parts(code)}
    for assigned in code.of(ast.Assign) if homes else ():
        made, name = _unmoved(assigned.value), ast.unparse(assigned.targets[0])
        if not isinstance(made, ast.Call) or _home(code, made) not in homes:
            continue
        if (
            _in_a_module(code, made)
            or FIXED.search(name)
            or not code.registration.has_parameters(made)
        ):
            continue
        value = code.types.value_of(made)
        said = value.definition.tree.text_of(value.definition.node) if value.definition else ""
        if not PRETRAINED.search(said + ast.unparse(made)):
            yield made, name


def _in_a_module(code: Code, node: ast.AST) -> bool:
    owner = code.tree.enclosing_class(node)
    return owner is not None and code.types.kind_of_class(owner) in MODULES


def _unmoved(value: ast.expr) -> ast.expr:
    """What makes a network, without what moves it: `Net().to(device)`."""
    while isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        if value.func.attr not in MODULE_CHAIN:
            break
        value = value.func.value
    return value


def _made_of_parts(code: Code) -> Iterator[ast.Call]:
    """The calls that make optimizers of the parameters of networks that they name."""
    for parameters in code.calls.method_calls("parameters"):
        statement = code.statement(parameters)
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)]):
                reads = [n for n in code.tree.names_by_id[name] if isinstance(n.ctx, ast.Load)]
            case _:
                reads = []
        for given in (parameters, *reads):
            for above in code.tree.ancestors(given):
                if isinstance(above, ast.stmt):
                    break
                if isinstance(above, ast.Call) and _is_optimizer(code, above):
                    yield above


def _is_optimizer(code: Code, call: ast.Call) -> bool:
    return code.types.value_of(call).kind is Kind.OPTIMIZER


def _home(code: Code, node: ast.AST) -> ast.AST:
    """The class that a node is in, else its function or the file."""
    return code.tree.enclosing_class(node) or code.tree.enclosing_body(node)


def _methods_of(code: Code, made: ast.Call) -> set[str]:
    """The methods of the class of a network, where the project has it."""
    definition = code.types.value_of(made).definition
    body = getattr(definition.node, "body", []) if definition is not None else []
    return {each.name for each in body if isinstance(each, FUNCTIONS)}


def _trains_with(code: Code, uses: Uses, methods: set[str]) -> bool:
    """Whether a network is called in a loop that trains, where autograd records it and nothing cuts the graph."""
    calls = [read for read in uses.reads if read.attribute == CALL or read.attribute in methods]
    return any(
        code.at(read.tree).modes.grad_at(read.node) is Grad.ON
        and not _is_cut(read.tree, read.node)
        and _in_training(code, read)
        for read in calls
    )


def _is_cut(tree: Tree, call: ast.AST) -> bool:
    """Whether what a call gives is detached in its statement or under its name behind it."""
    statement = tree.statement(call)
    body = tree.enclosing_body(call)
    cut = [each.value for each in tree.descendants(body, ast.Attribute) if each.attr in CUTS]
    names = tree.bound_in(statement)
    return any(tree.within(each, statement) or names & tree.names_in(each) for each in cut)


def _in_training(code: Code, read: Read) -> bool:
    """Whether a call is in a loop that trains, or in a function that such a loop calls."""
    there = code.at(read.tree)
    if any(there.within(read.node, loop.node) for loop in there.loops.training):
        return True
    function = there.tree.enclosing_function(read.node)
    callers = there.types.callers(function) if function is not None else ()
    return any(
        code.at(tree).within(call, loop.node)
        for tree, call in callers
        for loop in code.at(tree).loops.training
    )


def _held_by_none(code: Code) -> Iterator[Object]:
    optimizers = code.execution.objects(Role.OPTIMIZER)
    steps = [each for each in code.execution.events if each.did is Did.STEP]
    known = all(
        isinstance(leaf, Object) for step in steps for v in step.objects for leaf in leaves(v)
    )
    if not optimizers or not known or any(each.given or not each.of for each in optimizers):
        return
    if TOUCHES.search(code.text) or code.names.uses_framework():
        return
    backwards = [each for each in code.execution.events if each.did is Did.BACKWARD]
    losses = [code.execution.gradient_of(each.objects[0]).sources for each in backwards]
    for network in code.execution.objects(Role.MODULE):
        sources = [each for each in losses if network.number in each]
        stepped = all(any(code.execution.reaches(o, each) for o in optimizers) for each in sources)
        alone = not any(code.execution.reaches(o, frozenset({network.number})) for o in optimizers)
        if not (sources and stepped and alone and _is_new(code, network)):
            continue
        if _is_called_first(code, network, optimizers) or _is_switched_to_train(code, network):
            yield network


def _is_called_first(code: Code, network: Object, optimizers: list[Object]) -> bool:
    """Whether a network is called before those that are trained: one behind them may be a fixed judge, whose
    gradients are a by-product."""
    for event in code.execution.events:
        if event.did is Did.FORWARD:
            called = [each for each in event.objects if isinstance(each, Object)]
            held = [frozenset({each.number}) for each in called]
            if any(each is network for each in called):
                return True
            if any(code.execution.reaches(o, each) for o in optimizers for each in held):
                return False
    return False


def _is_switched_to_train(code: Code, network: Object) -> bool:
    switches = [each for each in code.execution.events if each.did is Did.TRAIN_MODE_SET]
    on = [each for each in switches if isinstance(each.flag, Constant) and each.flag.value]
    return any(code.execution.is_part_of(network, whole) for each in on for whole in each.objects)


def _is_new(code: Code, network: Object) -> bool:
    """Whether a network of this file has drawn parameters of its own, and nothing but the training uses it: no
    weights are loaded or averaged, no other code has it, and it is not put into eval mode for good."""
    made, others = network.node, frozenset({Did.STATE_LOADED, Did.ESCAPE, Did.PAIRED})
    if network.given or network.summary or not isinstance(made, ast.Call):
        return False
    if made not in code.tree.parent or not code.registration.has_parameters(made):
        return False
    if network.class_ is not None and PRETRAINED.search(_text_of_class(network)):
        return False
    modes = set()
    for event in code.execution.events:
        ours = any(code.execution.is_part_of(network, each) for each in event.objects)
        if event.did in others and any(each is network for each in event.objects):
            return False
        if event.did is Did.TRAIN_MODE_SET and ours and isinstance(event.flag, Constant):
            modes.add(bool(event.flag.value))
    return modes != {False}


def _text_of_class(network: Object) -> str:
    owner = network.class_
    return owner.home.tree.text_of(owner.node) if owner is not None else ""


def _made_after(code: Code, made: ast.Call, layer: ast.expr) -> Fix | None:
    """A fix that moves the creation of an optimizer below the last of the layers that are put in after
    it in its block, where nothing between uses it or changes what it is made of."""
    creation, last = code.statement(made), code.statement(layer)
    _, behind = code.flow.siblings(creation, code.tree.parent[creation])
    late = [
        code.statement(late) for other, _, late in _layers_after_optimizer(code) if other is made
    ]
    if last not in behind or any(statement not in behind for statement in late):
        return None
    last = max(late, key=code.tree.position)
    between = behind[: behind.index(last) + 1]
    own, used = code.tree.bound_in(creation), names_in(creation)
    if any(names_in(each) & own or code.tree.bound_in(each) & used for each in between):
        return None
    edits = moved_below(code, creation, last)
    name = code.text_of(layer)
    return Fix(say("create-optimizer-after", layer=name), edits) if edits else None


def _layers_after_optimizer(code: Code) -> Iterator[tuple[ast.Call, str, ast.expr]]:
    """Layers with parameters that are put into a model after an optimizer took its parameters, in
    the same function and for good: the optimizer's call, the model, and the attribute."""
    taken = {
        ast.unparse(code.tree.receiver(call)) for call in code.calls.method_calls("parameters")
    }
    for assigned in code.of(ast.Assign) if taken else ():
        target = assigned.targets[0]
        if not isinstance(target, (ast.Attribute, ast.Subscript)):
            continue
        whole = _holder(code, target, taken)
        model, scope = (
            ast.unparse(whole) if whole is not None else "",
            code.tree.enclosing_body(target),
        )
        if whole is None or not _brings_parameters(code, assigned.value, ast.unparse(target)):
            continue
        optimizers = list(_optimizers_in(code, scope))
        late = any(code.tree.position(call) > code.tree.position(target) for call in optimizers)
        made = [call for call in optimizers if _holds_all(code, call.args[0], model)]
        if not made or late or any(code.calls.method_calls("add_param_group")):
            continue
        if not _replaced_between(code, whole, made[-1], target):
            yield made[-1], model, target


def _holder(code: Code, target: ast.Attribute | ast.Subscript, taken: set[str]) -> ast.expr | None:
    """The model, one of those whose parameters are taken, of which a target is a part: in
    `model.fc`, `model.classifier[6]` that is `model`."""
    node: ast.expr = target.value
    while ast.unparse(node) not in taken:
        if not isinstance(node, (ast.Attribute, ast.Subscript)):
            return None
        node = node.value
    return node if code.types.kind_of(node) in MODULES else None


def _brings_parameters(code: Code, value: ast.expr, layer: str) -> bool:
    """Whether what replaces a layer has parameters that it did not have: a layer of torch, or one
    of the project's around it that holds Parameters of its own."""
    made = code.types.value_of(value)
    several = made.call if made.dotted == "torch.nn.Sequential" else None
    learns = (
        several is not None
        and several in code.tree.parent
        and code.registration.has_parameters(several)
    )
    if made.dotted in WEIGHTED or learns:
        return not _keeps(code, value, layer)
    owner = made.definition.node if made.definition and made.kind is Kind.MODULE else None
    if made.definition is None or not isinstance(owner, ast.ClassDef) or made.call is not value:
        return False
    given = [
        v
        for each in code.classes.of(made.definition.tree).attributes(owner).values()
        for v, _ in each
    ]
    own = [v for v in given if isinstance(v, ast.Call)]
    resolve = code.names.of(made.definition.tree).resolve
    return any(resolve(call.func) == "torch.nn.Parameter" for call in own)


def _keeps(code: Code, value: ast.expr, layer: str) -> bool:
    """Whether a layer lives on in what replaces it; its sizes alone may be read."""
    inner = [n for n in code.below(value, ast.Attribute) if ast.unparse(n) == layer]
    return any(not isinstance(code.tree.parent[n], ast.Attribute) for n in inner)


def _optimizers_in(code: Code, scope: ast.AST) -> Iterator[ast.Call]:
    for call in code.below(scope, ast.Call):
        made = code.types.value_of(call).kind is Kind.OPTIMIZER and bool(call.args)
        if made and code.tree.enclosing_body(call) is scope:
            yield call


def _holds_all(code: Code, given: ast.expr, model: str) -> bool:
    """`model.parameters()`, or a name for a list of some of these."""
    if ast.unparse(given) == f"{model}.parameters()":
        return True
    found = code.flow.reaching_definitions(given) if isinstance(given, ast.Name) else []
    values = [b.value for b in found if b.how == "assign" and b.value is not None]
    return any(f" in {model}.parameters()" in ast.unparse(value) for value in values)


def _replaced_between(code: Code, model: ast.expr, made: ast.AST, target: ast.AST) -> bool:
    """Whether a model became another one between two places, or they stand on different ways."""
    if not isinstance(model, ast.Name) or code.flow.are_exclusive(made, target):
        return True
    first, last = code.tree.position(made), code.tree.position(target)
    return any(first < code.tree.position(b.node) < last for b in code.names.bindings(model))
