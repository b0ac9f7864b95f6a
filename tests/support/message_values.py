"""The ids and values of what is said, for tests that hold these and not the English."""

from __future__ import annotations

from collections.abc import Iterator

from keng.model import Message


def values_of(says: object, id: str) -> dict[str, str]:
    """The values of the sentence with this id, which is `says` or among its values.

    A sentence among the values is given by its id.
    """
    found = [each for each in _sentences(says) if each.id == id]
    assert found, f"no {id} in {getattr(says, 'id', None)}: {says}"
    values = found[0].values.items()
    return {n: v.id if isinstance(v, Message) else str(v) for n, v in values}


def _sentences(says: object) -> Iterator[Message]:
    if isinstance(says, Message):
        yield says
        for value in says.values.values():
            yield from _sentences(value)
