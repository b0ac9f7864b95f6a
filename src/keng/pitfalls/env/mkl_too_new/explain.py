"""Error messages: mKL is newer than a PyTorch of conda was built for."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("without-its-profiler")
def without_its_profiler(failure: Failure) -> Hits:
    yield failure.hit(
        f"MKL 2024.1 and later lack `{failure.groups['what']}`, for which this PyTorch of conda asks: conda install mkl==2024.0, or PyTorch by pip"
    )
