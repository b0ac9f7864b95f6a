"""Error messages: a sound is sampled at another rate than the model was trained on."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("of-another-rate")
def of_another_rate(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    yield failure.hit(say("sound-has-samples-second", wants=came, wants_2=wants))
