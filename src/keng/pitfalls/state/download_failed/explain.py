"""Error messages: a server does not give what PyTorch is to download."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

HUB = "torch/hub.py"


ASKED = "GitHub answers no more questions from this address for now"


OF_A_REPOSITORY = ("_get_cache_or_reload", "_validate_not_a_forked_repo", "_parse_repo_info")


CURE = "skip_validation=True, or a GITHUB_TOKEN in the environment"


@explains("asked-too-often")
def asked_too_often(failure: Failure) -> Hits:
    if not failure.frames or failure.passed_through(HUB):
        yield failure.hit(f"{ASKED}: {CURE}", sure=bool(failure.frames))


@explains("asked-too-often-without-a-token")
def asked_too_often_without_a_token(failure: Failure) -> Hits:
    if failure.passed_through(HUB):
        yield failure.hit(f"{ASKED}: {CURE}")


@explains("not-given")
def not_given(failure: Failure) -> Hits:
    said = failure.groups["said"]
    if not _fetches(failure):
        return
    cure = "later again, or the file by hand"
    of_a_repository = any(frame.function in OF_A_REPOSITORY for frame in failure.frames)
    if of_a_repository and said.startswith("404"):
        cure = "GitHub has no such repository or branch, or it is private: 'owner/name:branch'"
    elif said.startswith(("403", "404", "410")):
        cure = "the file has moved: a newer torchvision, which has other addresses, or the file by hand"
    yield failure.hit(say("server-answers", cure=said, cure_2=cure))


@explains("not-trusted")
def not_trusted(failure: Failure) -> Hits:
    if _fetches(failure):
        yield failure.hit(say("python-trusts-no-server"))


@explains("not-reached")
def not_reached(failure: Failure) -> Hits:
    yield failure.hit(say("machine-does-not-reach"))


def _fetches(failure: Failure) -> bool:
    """Whether PyTorch or torchvision was to download it; any program may be told the same."""
    paths = [frame.posix for frame in failure.frames]
    return any(path.endswith(HUB) or "/torchvision/datasets/" in path for path in paths)
