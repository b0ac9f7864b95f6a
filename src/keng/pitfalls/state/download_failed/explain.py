"""Error messages: a server does not give what PyTorch is to download."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

HUB = "torch/hub.py"


OF_A_REPOSITORY = ("_get_cache_or_reload", "_validate_not_a_forked_repo", "_parse_repo_info")


@explains("asked-too-often")
def asked_too_often(failure: Failure) -> Hits:
    if not failure.frames or failure.passed_through(HUB):
        yield failure.hit(say("rate-limited"), sure=bool(failure.frames))


@explains("asked-too-often-without-a-token")
def asked_too_often_without_a_token(failure: Failure) -> Hits:
    if failure.passed_through(HUB):
        yield failure.hit(say("rate-limited"))


@explains("not-given")
def not_given(failure: Failure) -> Hits:
    answer = failure.groups["said"]
    if not _fetches(failure):
        return
    of_a_repository = any(frame.function in OF_A_REPOSITORY for frame in failure.frames)
    if of_a_repository and answer.startswith("404"):
        yield failure.hit(say("no-such-repository", answer=answer))
    elif answer.startswith(("403", "404", "410")):
        yield failure.hit(say("file-has-moved", answer=answer))
    else:
        yield failure.hit(say("server-answers", answer=answer))


@explains("not-trusted")
def not_trusted(failure: Failure) -> Hits:
    if _fetches(failure):
        yield failure.hit(say("python-trusts-no-server"))


def _fetches(failure: Failure) -> bool:
    """Whether PyTorch or torchvision was to download it; any program may be told the same."""
    paths = [frame.posix for frame in failure.frames]
    return any(path.endswith(HUB) or "/torchvision/datasets/" in path for path in paths)
