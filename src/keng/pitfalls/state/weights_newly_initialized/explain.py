"""Error messages: a part of a pretrained model is not in its checkpoint and begins at random."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

FEW = 4


@explains("not-in-the-file")
def not_in_the_file(failure: Failure) -> Hits:
    names = [name.strip(" '") for name in failure.groups["names"].split(",")]
    says = say("new-random-right-head", name=names[0])
    if len(names) > FEW:
        says = say(
            "weights-random-first-names",
            name=len(names),
            model=failure.groups["model"],
            names=names[0],
        )
    yield failure.hit(says)


@explains("of-another-shape")
def of_another_shape(failure: Failure) -> Hits:
    name, file, model = (failure.groups[key] for key in ("name", "file", "model"))
    yield failure.hit(say("file-here-so-was", model=name, file=file, model_2=model))


@explains("not-taken-from-the-file")
def not_taken_from_the_file(failure: Failure) -> Hits:
    names = failure.groups["names"].split(",")
    yield failure.hit(
        say(
            "has-no-place-weights",
            name=failure.groups["model"],
            names=len(names),
            strip=names[0].strip(chr(39)),
        )
    )


@explains("skipped-by-the-loader")
def skipped_by_the_loader(failure: Failure) -> Hits:
    name, file, model = (failure.groups[key].rstrip(", ") for key in ("name", "file", "model"))
    yield failure.hit(say("file-here-so-loader", model=name, file=file, model_2=model))


@explains("discarded-by-the-loader")
def discarded_by_the_loader(failure: Failure) -> Hits:
    names = [name.strip(" '") for name in failure.groups["names"].split(",")]
    yield failure.hit(say("more-file-fit-nothing", n=names[0], value=len(names) - 1))
