"""Error messages: a class is used where an object of it is wanted."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, Span, say
from keng.rules import explains
from keng.tables.torch_names import MODULES, TENSOR_METHODS

ASKED = TENSOR_METHODS | set("backward item numpy size dim ndim shape dtype device grad".split())


MADE = re.compile(r"\bnn\.(?P<name>[A-Z]\w*)\((?=\w)")

ON_A_CLASS = re.compile(
    r"\b(?P<owner>[A-Z]\w{1,60})\.(?P<method>[a-z]\w{1,60})\((?!self\b|cls\b|\))"
)


@explains("method-of-the-class")
def method_of_the_class(failure: Failure) -> Hits:
    method = failure.groups.get("method") or failure.groups["other"]
    of = re.findall(rf"\b(\w+)\.{method}\((.?)", failure.line or failure.surrounding)
    if method == "load_state_dict" and (not of or of[0][1] == ")"):
        return  # of an object, and nothing to load
    named = say("class-no-object-parentheses", name=of[0][0]) if of else None
    yield failure.hit(named or say("class-not-object"))


@explains("forward-of-the-class")
def forward_of_the_class(failure: Failure) -> Hits:
    text = failure.line or failure.surrounding
    for name in dict.fromkeys(re.findall(r"\b(\w+)\.forward\((?=[^)\s])", text)):
        if re.match(r"[A-Z](?!\w*(?:Function|Fn)$)", name) or re.search(
            rf"^\s*{name} = [A-Z]\w*\s*$", text, re.MULTILINE
        ):
            yield failure.hit(say("class-no-object-parentheses", name=name))
            return


@explains("made-of-a-tensor")
def made_of_a_tensor(failure: Failure) -> Hits:
    text = failure.line or failure.surrounding
    # Where a class is defined next to the error, it is that one which takes nothing.
    made = [found["name"] for found in MADE.finditer(text) if "class " not in text]
    name = failure.groups["owner"] or (made[0] if len(made) == 1 else "")
    if name == "Module":
        yield failure.hit(say("class-derived-from-without"))
    elif name in MODULES:
        yield failure.hit(say("class-what-computed-object", name=name))


@explains("asked-of-the-layer")
def asked_of_the_layer(failure: Failure) -> Hits:
    kind, name = failure.groups["kind"], failure.groups["name"]
    if kind in MODULES and failure.passed_through("torch/nn/init.py"):
        yield failure.hit(say("initializer-fills-tensor-whole", kind=kind))
    elif kind in MODULES and name in ASKED and not failure.failed_in_library:
        yield failure.hit(say("tensor-s-layer-not", name=name, kind=kind))


@explains("first-argument-for-the-object")
def first_argument_for_the_object(failure: Failure) -> Hits:
    if found := _called_on_class(failure, failure.groups["name"]):
        yield failure.hit(
            say("called-on-class-first", called=found[0], owner=found[0].rpartition(".")[0]),
            where=found[1],
        )


def _called_on_class(failure: Failure, attribute: str) -> tuple[str, Span] | None:
    """`Writer.add_graph`, where a line calls it so, and below it `self` lacks an attribute; and that line."""
    asked = re.compile(rf"\bself\.{re.escape(attribute)}\b")
    for above, below in zip(failure.frames, failure.frames[1:], strict=False):
        for found in ON_A_CLASS.finditer(above.text) if asked.search(below.text) else ():
            if re.match(rf"{found['method']}\b", below.function.rpartition(".")[2]):
                return f"{found['owner']}.{found['method']}", Span(above.path, above.line)
    return None
