"""Error messages: pEFT is of another time than the adapter or than what works with it."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("saved-by-a-newer")
def saved_by_a_newer(failure: Failure) -> Hits:
    names, kind = failure.groups["names"], failure.groups["kind"]
    yield failure.hit(
        f"the adapter was saved by a newer PEFT, and this one goes without {names} of {kind}: right where they were off there, else pip install -U peft"
    )


@explains("beside-an-older")
def beside_an_older(failure: Failure) -> Hits:
    name, came, wants = (failure.groups[key] for key in ("name", "came", "wants"))
    yield failure.hit(
        f"PEFT takes {name} from {wants} on and finds {came}: pip install -U {name}, or pip uninstall it where the model has no layers of it"
    )


@explains("older-than-asked")
def older_than_asked(failure: Failure) -> Hits:
    yield failure.hit(
        f"the PEFT that is imported is older than {failure.groups['wants']}: pip install -U peft with the Python that runs this, then restart"
    )


@explains("packed-otherwise")
def packed_otherwise(failure: Failure) -> Hits:
    kind, name = failure.groups["kind"], failure.groups["name"]
    yield failure.hit(
        f"`{name}` is not in a {kind} of the bitsandbytes that is installed: pip install -U bitsandbytes peft transformers, of one time, then restart"
    )
