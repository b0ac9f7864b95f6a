"""Error messages: the kernel of an attention is named in a way that PyTorch does not know, or is asked for what it has not."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-such-kernel")
def no_such_kernel(failure: Failure) -> Hits:
    name, known = failure.groups["name"], failure.groups["known"]
    yield failure.hit(say("there-no-flash-attention", known=name, known_2=known))


@explains("refused-by-it")
def refused_by_it(failure: Failure) -> Hits:
    kernel, why = failure.groups["kernel"], failure.groups["why"].rstrip(". ")
    yield failure.hit(say("kernel-was-activated-does", why=kernel, why_2=why))


@explains("package-of-another-version")
def package_of_another_version(failure: Failure) -> Hits:
    module, kernel = failure.groups["module"], failure.groups["kernel"]
    yield failure.hit(say("there-has-no-kernels", kernel=module, kernel_2=kernel))
