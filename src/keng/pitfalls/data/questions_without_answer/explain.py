"""Error messages: questions without an answer are read as if each had one."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

FIRST = re.compile(r"\[[\"']answer_start[\"']\]\[0\]|\bqa\[[\"']answers[\"']\]\[0\]")


@explains("first-of-none")
def first_of_none(failure: Failure) -> Hits:
    text = failure.frames[-1].text if failure.frames else failure.surrounding
    if FIRST.search(text):
        yield failure.hit(say("question-has-no-answer"))
