"""Error messages: the hop of a spectrogram is not what a vocoder makes of one frame."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

VOCODER = re.compile(
    r"\bcat\([^\n]{0,60}(?:unsqueeze\(-1\), ?mels?\b|upsampl\w*\()|\by_(?:g_)?hat_mel\b"
)
"""Lines at which what a vocoder made meets the sound, or its spectrogram."""


@explains("other-number-of-samples")
def other_number_of_samples(failure: Failure) -> Hits:
    groups = failure.groups
    one, other = (groups.get("one") or groups["size"]), (groups.get("other") or groups["got"])
    written = failure.line or f"{failure.message}\n{failure.surrounding}\n{failure.context}"
    if not (one and other and VOCODER.search(written)):
        return
    small, large = sorted((int(one), int(other)))
    if small >= 16 and large / small > 1.02:  # a frame at the edge is another matter
        yield failure.hit(say("steps-one-sound-meet", other=one, other_2=other))
