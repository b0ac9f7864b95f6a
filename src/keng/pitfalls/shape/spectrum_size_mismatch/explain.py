"""Error messages: a short-time Fourier transform gets a signal, a window or a spectrum that does not fit."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("shorter-than-a-frame")
def shorter_than_a_frame(failure: Failure) -> Hits:
    length, n = failure.groups["length"], failure.groups["n"]
    if int(length) < 9:
        yield failure.hit(say("channels-as-samples", length=length, n=n))
    else:
        yield failure.hit(say("signal-too-short", length=length, n=n))


@explains("of-another-transform")
def of_another_transform(failure: Failure) -> Hits:
    came = int(failure.groups["came"])
    fits = 2 * came - 2 if "onesided=True" in failure.message else came
    yield failure.hit(say("frequencies-of-another-n-fft", came=came, fits=fits))
