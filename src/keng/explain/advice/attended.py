"""What an attention says of features, masks and weights that do not fit it."""

from __future__ import annotations

from keng.explain.failure import Failure


def embedded_otherwise(failure: Failure, wants: str, came: str) -> str:
    """What to do where an attention gets other features than it is made for."""
    if failure.given is not None and int(wants) in failure.given.shape[:-1]:
        return f"they are to come last, {failure.fed}.transpose(1, -1)"
    return f"embed_dim={came}, or nn.Linear({came}, {wants}) before it"


def heads_apart(wants: str, came: str) -> int:
    """How many heads a mask of three dimensions, "2, 5, 5", is to be repeated for; 0 where it is another."""
    one, other = ([int(size) for size in sizes.split(", ")] for sizes in (wants, came))
    alike = len(one) == len(other) == 3 and one[1:] == other[1:]
    return one[0] // other[0] if alike and other[0] and one[0] % other[0] == 0 else 0


def of_other_lengths(what: str, wants: str, came: str) -> str:
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
