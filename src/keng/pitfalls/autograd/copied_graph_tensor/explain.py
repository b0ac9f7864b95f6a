"""Error messages: a tensor that was computed is deep-copied."""

from __future__ import annotations

from keng.explain.advice.fits import copied_with_its_graph
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("a-result-was-kept")
def a_result_was_kept(failure: Failure) -> Hits:
    yield failure.hit(*copied_with_its_graph(failure))
