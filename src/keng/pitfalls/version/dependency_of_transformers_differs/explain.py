"""Error messages: transformers wants another version of a package that it stands on."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("out-of-its-range")
def out_of_its_range(failure: Failure) -> Hits:
    wanted, has = failure.groups["wanted"], failure.groups["has"] or "another"
    yield failure.hit(
        f"{has} is installed, and this Transformers, or what asks by its words, takes {wanted}: pip install '{wanted}', then restart; where another "
        "package holds it there, a Transformers of that time"
    )


@explains("not-there")
def not_there(failure: Failure) -> Hits:
    wanted = failure.groups["wanted"]
    yield failure.hit(
        f"this Python has no {wanted}, or not its metadata: python -m pip install '{wanted}', then restart"
    )


@explains("without-a-version")
def without_a_version(failure: Failure) -> Hits:
    wanted = failure.groups["wanted"]
    yield failure.hit(
        f"the package is there and its metadata is not whole, as after conda and pip, or an installation that broke off: pip uninstall it until "
        f"nothing is left, then pip install '{wanted}'"
    )
