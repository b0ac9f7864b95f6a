"""Error messages: `stft` or `istft` is not told that spectra are complex."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("forth")
def forth(failure: Failure) -> Hits:
    yield failure.hit("say return_complex=True, and .abs() or torch.view_as_real of what comes")


@explains("back")
def back(failure: Failure) -> Hits:
    yield failure.hit(
        "istft takes complex spectra: torch.view_as_complex(x.contiguous()) where the last dimension is 2, torch.polar(magnitude, phase) of "
        "magnitudes"
    )
