"""Error messages: attention gets sizes that its heads or masks do not fit."""

from __future__ import annotations

from keng.explain.advice.edits import constructor
from keng.explain.failure import Failure
from keng.model import Fix, Hits, say
from keng.rules import explains
from keng.source import Code


@explains("features-for-other-heads")
def features_for_other_heads(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    cure = _embedded_otherwise(failure, wants, came)
    yield failure.hit(say("attention-made-features-but", cure=wants, came=came, cure_2=cure))


@explains("mask-of-other-lengths")
def mask_of_other_lengths(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    says = f"a mask of ({came}), where ({wants}) is wanted"
    sizes = ([int(size) for size in each.split(", ")] for each in (wants, came))
    (*_, length), (*batches, there) = sizes
    batch = failure.input.shape[1:2] if failure.input is not None else tuple(batches)
    layer = failure.live.layer
    if heads := _heads_apart(wants, came):
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
    yield failure.hit(say("query-key-value-masks"))


@explains("padding-mask-of-another-shape")
def padding_mask_of_another_shape(failure: Failure) -> Hits:
    says = "key_padding_mask is (batch, source length), and has {came} where {wants} is wanted"
    cure, fix = _padding_mask_turned(failure)
    yield failure.hit(f"{says.format(**failure.groups)}: {cure}", fix)


@explains("of-a-model")
def of_a_model(failure: Failure) -> Hits:
    what, wants, came = (failure.groups[key].strip("`") for key in ("what", "wants", "came"))
    cure = _of_other_lengths(what, wants, came)
    yield failure.hit(say("where-wanted", cure=what.lower(), came=came, wants=wants, cure_2=cure))


def _embedded_otherwise(failure: Failure, wants: str, came: str) -> str:
    """What to do where an attention gets other features than it is made for."""
    if failure.input is not None and int(wants) in failure.input.shape[:-1]:
        return f"they are to come last, {failure.input_name}.transpose(1, -1)"
    return f"embed_dim={came}, or nn.Linear({came}, {wants}) before it"


def _heads_apart(wants: str, came: str) -> int:
    """How many heads a mask of three dimensions, "2, 5, 5", is to be repeated for; 0 where it is another."""
    one, other = ([int(size) for size in sizes.split(", ")] for sizes in (wants, came))
    alike = len(one) == len(other) == 3 and one[1:] == other[1:]
    return one[0] // other[0] if alike and other[0] and one[0] % other[0] == 0 else 0


def _padding_mask_turned(failure: Failure) -> tuple[str, Fix | None]:
    """What to do with a padding mask that does not fit. Inside of the forward a batch that comes first has
    been turned round already."""
    masks, given = [o for o in failure.live.operands if o.dtype == "bool"], failure.input
    mask, layer = masks[0] if len(masks) == 1 else None, failure.live.layer
    if layer is None or not layer.settings.get("batch_first"):
        first = mask is not None and given is not None and mask.shape == given.shape[:2]
        fix = failure.ask_line(_batch_put_first, failure.layer_name) if first and layer else None
        sizes = [(failure.groups.get(name) or "").split(", ") for name in ("wants", "came")]
        if layer is None and len(sizes[0]) == 2 and sizes[0] != sizes[1][::-1]:
            return "make it of the batch that came", None
        return (
            "the batch comes first, so batch_first=True" if fix else "batch_first=True, perhaps"
        ), fix
    if mask and given and mask.shape == given.shape[:2] and mask.shape[0] != mask.shape[1]:
        says = f"`{mask.name}` of shape {mask.shape} is turned round"
        return says, failure.rewrite(mask.name, "{}.T")
    return "make it of the batch that came", None


def _batch_put_first(code: Code, line: int, path: str) -> Fix | None:
    """A fix by which a layer, named by its path, takes the batch in front."""
    made = constructor(code, path, line) if path else None
    if made not in code.tree.parent or code.calls.argument(made, "batch_first") is not None:
        return None
    return code.edits.add_argument(made, "batch_first=True", "Take the batch first", "shown")


def _of_other_lengths(what: str, wants: str, came: str) -> str:
    """Where a mask, weights or an output of attention in a model differ, "1, 1, 5, 9" for "1, 1, 5, 5"."""
    one, other = wants.split(", "), came.split(", ")
    apart = [n for n, sizes in enumerate(zip(one, other, strict=False)) if len({*sizes}) > 1]
    if len(one) != len(other) or not apart:
        return "mask, cache, batch of one length"
    if apart == [0]:
        return "one of the two was made for another batch, or another number of heads"
    if apart[-1] == len(one) - 1 == 3 and "output" not in what:
        return "attention_mask is as long as the tokens in the cache and the new ones together"
    return "hidden_size is num_heads times head_dim, and the batch of one length"
