"""Error messages: a part of a pretrained model is not in its checkpoint and begins at random."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains

FEW = 4


@explains("not-in-the-file")
def not_in_the_file(failure: Failure) -> Hits:
    names = [name.strip(" '") for name in failure.groups["names"].split(",")]
    says = f"`{names[0]}` is new and random: right for a head that is to be trained, and no use for predicting before"
    if len(names) > FEW:
        says = f"{len(names)} weights of {failure.groups['model']} are random, `{names[0]}` first: the names in the file are others, as of another model, or these parts are to be trained"
    yield failure.hit(says)


@explains("of-another-shape")
def of_another_shape(failure: Failure) -> Hits:
    name, file, model = (failure.groups[key] for key in ("name", "file", "model"))
    yield failure.hit(
        f"`{name}` is {file} in the file and {model} here, so it was left out and is random: train it"
    )


@explains("missing-in-the-report")
def missing_in_the_report(failure: Failure) -> Hits:
    yield failure.hit(
        "the weights called MISSING in the report are random: right for a head that is to be trained, else the names in the file are others"
    )


@explains("not-taken-from-the-file")
def not_taken_from_the_file(failure: Failure) -> Hits:
    names = failure.groups["names"].split(",")
    yield failure.hit(
        f"{failure.groups['model']} has no place for {len(names)} weights of the file, `{names[0].strip(chr(39))}` first: right for a head that is left "
        "off, and where layers of its body are named, the names in the file are others"
    )


@explains("of-another-size-in-the-report")
def of_another_size_in_the_report(failure: Failure) -> Hits:
    yield failure.hit(
        "the weights called MISMATCH in the report have another shape than in the model, as with another num_labels or vocabulary: the numbers of the "
        "file, or ignore_mismatched_sizes=True, which makes these at random"
    )


@explains("skipped-by-the-loader")
def skipped_by_the_loader(failure: Failure) -> Hits:
    name, file, model = (failure.groups[key].rstrip(", ") for key in ("name", "file", "model"))
    yield failure.hit(
        f"`{name}` is [{file}] in the file and [{model}] here, so the loader left it out and it is random: right for a head of other classes that is to be trained, else the number of classes of the file"
    )


@explains("discarded-by-the-loader")
def discarded_by_the_loader(failure: Failure) -> Hits:
    names = [name.strip(" '") for name in failure.groups["names"].split(",")]
    yield failure.hit(
        f"`{names[0]}` and {len(names) - 1} more of the file fit nothing here and were left out: right for a head of other classes, else the names or sizes in the file are of another model"
    )
