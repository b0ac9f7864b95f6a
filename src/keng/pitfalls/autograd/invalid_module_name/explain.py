"""Error messages: a name is given to a part of a module that it cannot have."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("with-a-dot")
def with_a_dot(failure: Failure) -> Hits:
    what, name = failure.groups["what"], failure.groups["name"]
    which = f" `{name}`" if name else ""
    yield failure.hit(f"the {what} name{which} has a dot, which separates levels: replace it")


@explains("there-already")
def there_already(failure: Failure) -> Hits:
    if failure.kind == "KeyError":
        name = failure.groups["name"]
        yield failure.hit(say("module-has-already-own", name=name))


@explains("without-a-name")
def without_a_name(failure: Failure) -> Hits:
    yield failure.hit(say("name-empty", what=failure.groups["what"]))
