"""Error messages: the kernel of an attention is named in a way that PyTorch does not know, or is asked for what it has not."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("no-such-kernel")
def no_such_kernel(failure: Failure) -> Hits:
    name, known = failure.groups["name"], failure.groups["known"]
    yield failure.hit(f"there is no flash attention `{name}` here, but {known}")


@explains("refused-by-it")
def refused_by_it(failure: Failure) -> Hits:
    kernel, why = failure.groups["kernel"], failure.groups["why"].rstrip(". ")
    yield failure.hit(
        f"the kernel {kernel}, which was activated, does not take this ({why}): restore_flash_attention_impl() for the built-in one"
    )


@explains("package-of-another-version")
def package_of_another_version(failure: Failure) -> Hits:
    module, kernel = failure.groups["module"], failure.groups["kernel"]
    yield failure.hit(f"`{module}` is there and has no kernels of {kernel}: another version of it")


@explains("not-known-to-transformers")
def not_known_to_transformers(failure: Failure) -> Hits:
    yield failure.hit(
        f"Transformers knows no attention `{failure.groups['name']}` for this model: 'sdpa', 'eager', or 'flash_attention_2' where flash-attn is installed"
    )
