"""Error messages: the model is newer than the Transformers that is installed."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains
from keng.tables import libraries


@explains("type-not-known")
def type_not_known(failure: Failure) -> Hits:
    kind = failure.groups["kind"]
    version = libraries.version_that_knows(kind)
    asked = failure.kind != "KeyError" or failure.passed_through(
        "/transformers/models/auto/configuration_auto.py"
    )
    if version and asked:
        yield failure.hit(say("type-came-later", kind=kind, version=version))
    elif asked:
        yield failure.hit(say("type-unknown", kind=kind))


@explains("tokenizer-not-known")
def tokenizer_not_known(failure: Failure) -> Hits:
    name = failure.groups["name"]
    change = libraries.of_name("transformers", name)
    if name == "LLaMATokenizer":
        yield failure.hit(say("tokenizer-class-misspelt"))
    elif change is not None and change.came:
        yield failure.hit(say("tokenizer-came-later", name=name, version=change.came))


@explains("brings-its-code")
def brings_its_code(failure: Failure) -> Hits:
    yield failure.hit(say("model-brings-code", name=failure.groups["name"]))


@explains("positions-not-known")
def positions_not_known(failure: Failure) -> Hits:
    kind = failure.groups.get("kind")
    says = say("positions-unknown")
    if kind == "llama3":
        says = say("llama3-positions")
    elif kind:
        says = say("positions-of-kind", kind=kind)
    yield failure.hit(says)
