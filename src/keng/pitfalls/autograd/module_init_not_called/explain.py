"""Error messages: a module, or a class made from one of a library, does not call the constructor of its parent."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

PARENTS_OF = re.compile(
    r"super\((\w*(?:Net|CNN|Module|Model|Layer|Block|Conv|Encoder|Decoder|Loss|Attention)\w*), self\)\.__init__"
)


@explains("assigned-too-early")
def assigned_too_early(failure: Failure) -> Hits:
    set_here = re.search(r"self\.(?:register_\w+\(\s*[\"'])?(\w+)", failure.line)
    what = failure.groups["what"]
    if set_here:
        yield failure.hit(say("name-set-too-early", name=set_here[1]))
    elif what == "module":
        yield failure.hit(say("module-set-too-early"))
    elif what == "buffer":
        yield failure.hit(say("buffer-set-too-early"))
    else:
        yield failure.hit(say("parameter-set-too-early"))


@explains("of-another-class")
def of_another_class(failure: Failure) -> Hits:
    if named := PARENTS_OF.search(failure.line or failure.surrounding):
        yield failure.hit(say("not-class-what-made", name=named[1]))


@explains("never-called-of-a-library")
def never_called_of_a_library(failure: Failure) -> Hits:
    parent = next(name for name, found in failure.groups.items() if found and name != "kind")
    if not parent.startswith("torch") or failure.contains(parent):
        yield failure.hit(say("never-calls-super-init", kind=failure.groups["kind"], parent=parent))
