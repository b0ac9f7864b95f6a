"""Error messages: a sound is sampled at another rate than the model was trained on."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("of-another-rate")
def of_another_rate(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    yield failure.hit(
        f"the sound has {came} samples a second, and the model was trained on {wants}: cast_column('audio', Audio(sampling_rate={wants})), or "
        f"torchaudio.functional.resample(x, {came}, {wants}); another number in the call alone makes it wrong"
    )


@explains("of-a-rate-not-told")
def of_a_rate_not_told(failure: Failure) -> Hits:
    yield failure.hit(
        "the extractor is not told at which rate the sound is sampled, and takes it for its own: sampling_rate= in the call, so that another one is refused"
    )
