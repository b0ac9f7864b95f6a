"""Error messages: an installation of PyTorch does not come to its end."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("not-fetched")
def not_fetched(failure: Failure) -> Hits:
    says = "the download of a wheel of gigabytes broke off: pip --default-timeout=1000, a proxy or mirror, or fetch the wheel by hand"
    yield failure.hit(says)


@explains("another-hash")
def another_hash(failure: Failure) -> Hits:
    if failure.groups.get("list"):
        says = f"the list of files in {failure.groups['name']} has mistakes, which this poetry refuses: another poetry, or pip install"
        yield failure.hit(says)
        return
    says = f"the download of {failure.groups['name']} is not whole, or its copy in pip's cache: pip install --no-cache-dir, or fetch the wheel by hand"
    yield failure.hit(says)


@explains("held-open")
def held_open(failure: Failure) -> Hits:
    says = f"{failure.groups['file']} is in use: close every notebook, editor and program of this Python, then install again"
    yield failure.hit(says)


@explains("path-too-long")
def path_too_long(failure: Failure) -> Hits:
    says = "Windows refuses paths as long as those of torch's headers: enable long paths, or a Python in a shorter folder"
    yield failure.hit(says)


@explains("half-removed")
def half_removed(failure: Failure) -> Hits:
    says = f"site-packages holds ~{failure.groups['rest']}, left by an installation that broke off: delete that folder, then install again"
    yield failure.hit(says)
