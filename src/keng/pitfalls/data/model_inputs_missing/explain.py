"""Error messages: a model is called without an input that its forward needs."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("nothing-came-in")
def nothing_came_in(failure: Failure) -> Hits:
    names = failure.groups["names"]
    cure = "the batch has it under another name, or not at all: print batch.keys()"
    if names.startswith("decoder_"):
        cure = "give labels, from which the model makes them, or generate()"
    yield failure.hit(f"the model got no {names}: {cure}")


@explains("every-column-dropped")
def every_column_dropped(failure: Failure) -> Hits:
    wants, came = failure.groups.get("wants"), failure.groups.get("came")
    names = f", of {wants.replace(',', ', ')}" if wants else ""
    has = f"the columns {came} are" if came else "no column is"
    yield failure.hit(
        f"{has} not what forward takes{names}, and all was dropped: tokenize, rename, or remove_unused_columns=False"
        if came
        else f"{has} left{names}: all were dropped; tokenize, rename, or remove_unused_columns=False"
    )


@explains("every-row-lost")
def every_row_lost(failure: Failure) -> Hits:
    yield failure.hit(say("no-column-left-dataset"))


@explains("detector-without-targets")
def detector_without_targets(failure: Failure) -> Hits:
    yield failure.hit(say("detector-training-mode-takes"))


@explains("samples-without-tokens")
def samples_without_tokens(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    yield failure.hit(say("samples-have-no-map", wants=came, wants_2=wants))


@explains("samples-without-names")
def samples_without_names(failure: Failure) -> Hits:
    if failure.passed_through("transformers/data/data_collator.py"):
        yield failure.hit(say("sample-text-tuple-or"))


@explains("annotations-without-field")
def annotations_without_field(failure: Failure) -> Hits:
    field = failure.groups["field"]
    off = {"gt_masks": " (MODEL.MASK_ON: False)", "gt_keypoints": " (MODEL.KEYPOINT_ON: False)"}
    yield failure.hit(
        f"the model learns of {field}, and the annotations of an image have none: add them, take images without "
        f"any out, or a configuration that does without{off.get(field, '')}"
    )
