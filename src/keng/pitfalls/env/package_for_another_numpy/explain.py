"""Error messages: a package was compiled for another NumPy than the one that is installed."""

from __future__ import annotations

from keng.explain.advice.arrays import of_another_numpy
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("another-package")
def another_package(failure: Failure) -> Hits:
    yield failure.hit(of_another_numpy(failure))


@explains("not-loaded-at-all")
def not_loaded_at_all(failure: Failure) -> Hits:
    yield failure.hit(
        "a package was compiled for another NumPy: bring both to versions that belong together"
    )
