"""Error messages: no wheel of PyTorch fits this Python or system."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains
from keng.tables.wheels import there_are, why_none


@explains("nothing-fits")
def nothing_fits(failure: Failure) -> Hits:
    name, version = (failure.groups.get(part, "") for part in ("name", "version"))
    says = why_none(f"{failure.message} {failure.context}", name, version)
    of = f"{name}{version}" if version[:1] in "=<>~!" else f"{name} {version}"
    yield failure.hit(say("there-no-wheel-python", says=of, says_2=says))


@explains("of-another-python")
def of_another_python(failure: Failure) -> Hits:
    says = f"the wheel is for {failure.groups['tag']}, and this Python or system is another one"
    yield failure.hit(f"{says}: the wheel with the tag of yours (cp312 for 3.12)")


@explains("told-by-a-web-ui")
def told_by_a_web_ui(failure: Failure) -> Hits:
    there = there_are(f"{failure.message} {failure.context}", "torch", failure.groups["version"])
    why = there or "see its lines above"
    yield failure.hit(say("pip-found-no-wheel", why=why))


@explains("all-from-the-index-of-torch")
def all_from_the_index_of_torch(failure: Failure) -> Hits:
    yield failure.hit(say("uv-takes-all-from"))


@explains("python-not-taken")
def python_not_taken(failure: Failure) -> Hits:
    own, wanted = failure.groups["own"], failure.groups["wanted"]
    yield failure.hit(say("python-release-wants-another", wanted=own, wanted_2=wanted))
