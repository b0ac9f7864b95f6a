"""Error messages: `stft` or `istft` is called without `return_complex=`."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("forth")
def forth(failure: Failure) -> Hits:
    yield failure.hit(say("say-return-complex-true"))


@explains("back")
def back(failure: Failure) -> Hits:
    yield failure.hit(say("istft-takes-complex-spectra"))
