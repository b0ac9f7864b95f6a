"""Source code: a data set changes its data when it gives a sample."""

from __future__ import annotations

from keng.model import Fix, Hits
from keng.rules import finds
from keng.source import Code, Kind


@finds(fixes=True)
def written_into_the_data(code: Code) -> Hits:
    for changed, name, taken, kind in code.samples_changed():
        data = code.text_of(taken.value)
        says = f"`{name}` is a view of `{data}`: the data set itself is changed, and again in each epoch"
        copies = ".clone()" if kind is Kind.TENSOR else ".copy()"
        fix = Fix("Change a copy", (code.append(taken, copies),))
        workers = b"num_workers" in code.data
        yield code.hit(changed, says, fix, sure=kind is not Kind.UNKNOWN and not workers)
