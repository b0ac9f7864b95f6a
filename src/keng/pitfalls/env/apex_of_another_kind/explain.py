"""Error messages: the package `apex` of PyPI is not NVIDIA's."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("for-the-web")
def for_the_web(failure: Failure) -> Hits:
    yield failure.hit(
        "the `apex` that is installed is another program, not NVIDIA's: pip uninstall apex; PyTorch's autocast needs none"
    )


@explains("without-amp")
def without_amp(failure: Failure) -> Hits:
    yield failure.hit(
        "the installed `apex` has no amp: NVIDIA's lost it in 2025, and PyPI's, another program, has none; PyTorch's autocast, pip uninstall apex "
        "where a library only looks for it, or an older revision"
    )


@explains("without-extensions")
def without_extensions(failure: Failure) -> Hits:
    yield failure.hit(
        "NVIDIA's Apex is installed without its compiled parts: build it with --cpp_ext --cuda_ext, or take PyTorch's own "
        "fused optimizers and autocast"
    )


@explains("not-installed")
def not_installed(failure: Failure) -> Hits:
    which = " and a card, and one of them" if "CUDA" in failure.message else ", which"
    yield failure.hit(
        f"the program wants NVIDIA's Apex{which} is not here: its option without `fused` or `apex`, or a build from NVIDIA's repository; "
        "`pip install apex` brings another program"
    )
