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
        yield failure.hit(_older(f"models of type `{kind}`", version))
    elif asked:
        yield failure.hit(say("no-transformers-today-has", kind=kind))


@explains("tokenizer-not-known")
def tokenizer_not_known(failure: Failure) -> Hits:
    name = failure.groups["name"]
    change = libraries.of_name("transformers", name)
    if name == "LLaMATokenizer":
        yield failure.hit(say("tokenizer-config-json-checkpoint"))
    elif change is not None and change.came:
        yield failure.hit(_older(f"`{name}`", change.came))


def _older(what: str, version: str) -> str:
    return f"transformers has {what} since {version}, and the one that is installed is older: pip install -U transformers"


@explains("brings-its-code")
def brings_its_code(failure: Failure) -> Hits:
    yield failure.hit(say("transformers-has-no-class", name=failure.groups["name"]))


@explains("positions-not-known")
def positions_not_known(failure: Failure) -> Hits:
    kind = failure.groups.get("kind")
    what = f" `{kind}`" if kind else ""
    since = ", known since 4.43," if kind == "llama3" else ""
    yield failure.hit(
        f"the config scales its positions in a way{what}{since} that the installed transformers does not know: pip install -U transformers"
    )
