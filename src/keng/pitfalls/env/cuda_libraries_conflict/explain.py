"""Error messages: copies of CUDA's libraries from several places are mixed."""

from __future__ import annotations

from keng.explain.advice.libraries import not_where_it_is_looked_for
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("function-not-there")
def function_not_there(failure: Failure) -> Hits:
    asks, symbol, lacks = (failure.groups[name] for name in ("asks", "symbol", "lacks"))
    yield failure.hit(
        f"{asks} wants `{symbol}`, and the {lacks or 'library'} that was found does not have it: "
        "LD_LIBRARY_PATH or the system puts another copy before PyTorch's"
    )


@explains("function-not-in-the-driver")
def function_not_in_the_driver(failure: Failure) -> Hits:
    symbol = failure.groups["symbol"]
    if symbol.startswith("nccl"):
        yield failure.hit(
            f"another NCCL without `{symbol}` is found first: LD_LIBRARY_PATH, or the nvidia-nccl of another CUDA was "
            "installed over PyTorch's"
        )
        return
    yield failure.hit(f"the driver is too old: its libcuda has no `{symbol}`; update it")


@explains("library-not-there")
def library_not_there(failure: Failure) -> Hits:
    yield failure.hit(not_where_it_is_looked_for(failure, failure.groups["library"]))


@explains("parts-of-two-cudnn")
def parts_of_two_cudnn(failure: Failure) -> Hits:
    yield failure.hit("two versions of cuDNN meet: keep the one PyTorch brings")
