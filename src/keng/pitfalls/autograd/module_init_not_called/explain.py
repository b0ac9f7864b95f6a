"""Error messages: a module, or a class made from one of a library, does not call the constructor of its parent."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains

PARENTS_OF = re.compile(
    r"super\((\w*(?:Net|CNN|Module|Model|Layer|Block|Conv|Encoder|Decoder|Loss|Attention)\w*), self\)\.__init__"
)


@explains("assigned-too-early")
def assigned_too_early(failure: Failure) -> Hits:
    set_here = re.search(r"self\.(?:register_\w+\(\s*[\"'])?(\w+)", failure.line)
    name = f"`self.{set_here[1]}`" if set_here else f"a {failure.groups['what'].rstrip('s')}"
    yield failure.hit(
        f"{name} is set before super().__init__() was called: make that the first line, parentheses and all"
    )


@explains("of-another-class")
def of_another_class(failure: Failure) -> Hits:
    if named := PARENTS_OF.search(failure.line or failure.surrounding):
        yield failure.hit(
            f"`{named[1]}` is not the class of what is made, or a notebook has defined it anew since: super().__init__()"
        )


@explains("never-called")
def never_called(failure: Failure) -> Hits:
    kind = failure.groups["kind"]
    yield failure.hit(f"`{kind}` is a module whose __init__ never calls super().__init__()")


@explains("never-called-of-a-library")
def never_called_of_a_library(failure: Failure) -> Hits:
    parent = next(name for name, found in failure.groups.items() if found and name != "kind")
    if not parent.startswith("torch") or failure.contains(parent):
        yield failure.hit(
            f"`{failure.groups['kind']}` never calls super().__init__() ({parent}): the first line of __init__, or of __post_init__ in a dataclass"
        )
