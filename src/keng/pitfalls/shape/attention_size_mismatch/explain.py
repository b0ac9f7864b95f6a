"""Error messages: attention gets sizes that its heads or masks do not fit."""

from __future__ import annotations

from keng.explain.advice import attended, fits
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("features-for-other-heads")
def features_for_other_heads(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    cure = attended.embedded_otherwise(failure, wants, came)
    yield failure.hit(f"the attention is made for {wants} features, but gets {came}: {cure}")


@explains("mask-of-other-lengths")
def mask_of_other_lengths(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    says = f"a mask of ({came}), where ({wants}) is wanted"
    sizes = ([int(size) for size in each.split(", ")] for each in (wants, came))
    (*_, length), (*batches, there) = sizes
    batch = failure.given.shape[1:2] if failure.given is not None else tuple(batches)
    layer = failure.live.layer
    if heads := attended.heads_apart(wants, came):
        says += f": one for each head of each sample, mask.repeat_interleave({heads}, 0)"
    elif there == length and tuple(batches) == batch:
        says += ": one of padding, (batch, source length), is key_padding_mask"
    elif (there,) == batch and layer is not None and layer.settings.get("batch_first") is False:
        says += ": the batch comes first, so batch_first=True"
    else:
        says += ", target by source length: make it for the sequence that it masks"
    if layer is None and not batches[1:] and there != length:
        says += f", or, where {length} is the batch, batch_first as the inputs come"
    yield failure.hit(says)


@explains("query-and-key")
def query_and_key(failure: Failure) -> Hits:
    yield failure.hit(
        "query, key, value and masks do not fit: (L, N, E) each, or (N, L, E) with batch_first=True"
    )


@explains("padding-mask-of-another-shape")
def padding_mask_of_another_shape(failure: Failure) -> Hits:
    says = "key_padding_mask is (batch, source length), and has {came} where {wants} is wanted"
    cure, fix = fits.padding_mask_turned(failure)
    yield failure.hit(f"{says.format(**failure.groups)}: {cure}", fix)


@explains("of-a-model")
def of_a_model(failure: Failure) -> Hits:
    what, wants, came = (failure.groups[key].strip("`") for key in ("what", "wants", "came"))
    cure = attended.of_other_lengths(what, wants, came)
    yield failure.hit(f"{what.lower()} of ({came}), where ({wants}) is wanted: {cure}")
