"""Error messages: an optimizer is given nothing that it could optimize."""

from __future__ import annotations

from keng.explain.advice.edits import registered
from keng.explain.failure import Failure
from keng.explain.inspecting.modules import attribute_of, members_of, users_modules
from keng.explain.live import Attribute, LiveError
from keng.model import Fix, Hits, Message, Span, say
from keng.rules import explains
from keng.source import Code

NONE = (None, None)
"""No fix, and no other place than the failing line."""


@explains("no-parameters")
def no_parameters(failure: Failure) -> Hits:
    if (known := _without_parameters(failure)) is not None:
        yield failure.hit(*known)
        return
    yield failure.hit(_no_parameters_in(failure.line))


@explains("no-tensor")
def no_tensor(failure: Failure) -> Hits:
    yield failure.hit(_among_parameters(failure.groups["kind"]))


TAKERS = (
    "torch/optim/optimizer.py",
    "torch/nn/utils/clip_grad.py",
    "torch/nn/utils/convert_parameters.py",
)


@explains("no-list")
def no_list(failure: Failure) -> Hits:
    kind = failure.groups["kind"]
    if not failure.passed_through(*TAKERS):
        return
    if kind in ("method", "function"):
        yield failure.hit(say("method-given-not-what"))
    elif kind[0].isupper():
        yield failure.hit(say("model-given-not-parameters", kind=kind))


@explains("group-of-nothing")
def group_of_nothing(failure: Failure) -> Hits:
    if failure.kind == "KeyError" and failure.passed_through("torch/optim/optimizer.py"):
        yield failure.hit(say("each-group-dict-params"))


def _without_parameters(failure: Failure) -> tuple[Message, Fix | None, Span | None] | None:
    """Why an optimizer gets no parameters: layers that their module does not see, or a generator."""
    hidden = failure.live.ask(_unregistered_modules)
    if hidden:
        names = ", ".join(f"`{kept.path}`" for kept in hidden[:3])
        cure = failure.ask_class(hidden[0], _registered_by_name) if len(hidden) == 1 else NONE
        return say("layers-not-registered", names=names), *cure
    unlearned = failure.live.not_learning
    if unlearned is not None and len(unlearned.frozen) == 1:
        [(model, count)] = unlearned.frozen.items()
        return say("all-frozen", count=count, model=model), *NONE
    used = failure.ask_line(_in_a_list)
    if not used:
        return None
    name, fix = used
    return say("generator-used-up", name=name), fix, None


def _registered_by_name(code: Code, _: str, name: str) -> tuple[Fix, Span] | None:
    """A fix that makes the one list of layers of this name one that registers them, and its place."""
    fix = _seen_as_layers(code, name)
    found = [value for own, value in code.registration.containers_of_layers() if own == name]
    return (fix, code.span(found[0])) if fix is not None else None


def _seen_as_layers(code: Code, name: str) -> Fix | None:
    """That, for the one attribute of this name."""
    found = [value for each, value in code.registration.containers_of_layers() if each == name]
    if len(found) != 1:
        return None
    kind, _ = code.registration.container_for(name, found[0])
    fix = registered(code, name, found[0], say("make-container", kind=kind))
    return fix._replace(safety="shown") if fix is not None else None


def _in_a_list(code: Code, line: int) -> tuple[str, Fix] | None:
    """The generator on a line that something went through before, and a fix that keeps a list."""
    for name, made, _, _ in code.generators.exhausted():
        if name.lineno == line:
            return name.id, Fix(say("keep-them-list"), (code.generators.as_list(made),), "shown")
    return None


def _no_parameters_in(line: str) -> Message:
    return say("frozen-or-filter-read") if "requires_grad" in line else say("no-parameters")


def _among_parameters(kind: str) -> Message:
    """Of a thing that an optimizer found in place of a tensor: "Module.parameters", "numpy.ndarray"."""
    layer, kind = kind.startswith("torch.nn.modules."), kind.rpartition(".")[2]
    match kind:
        case "tuple":
            return say("pairs-among")
        case "parameters" | "generator":
            return say("generator-among")
        case "list":
            return say("list-among")
        case "str":
            return say("name-among")
        case "ndarray":
            return say("array-among")
    return say("layer-among", kind=kind) if layer else say("object-among", kind=kind)


def _unregistered_modules(error: LiveError) -> tuple[Attribute, ...]:
    """The lists and dictionaries of modules on the user's modules, which these do not see: `net.layers`."""
    Module = error.torch.nn.Module  # noqa: N806
    return tuple(
        attribute_of(f"{name}.{attribute}", module)
        for name, module in users_modules(reversed(error.frames), Module)
        for attribute, value in vars(module).items()
        if not attribute.startswith("_") and any(isinstance(i, Module) for i in members_of(value))
    )
