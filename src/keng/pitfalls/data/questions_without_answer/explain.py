"""Error messages: questions without an answer are read as if each had one."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

FIRST = re.compile(r"\[[\"']answer_start[\"']\]\[0\]|\bqa\[[\"']answers[\"']\]\[0\]")


@explains("none-or-several")
def none_or_several(failure: Failure) -> Hits:
    yield failure.hit(say("question-file-has-no"))


@explains("first-of-none")
def first_of_none(failure: Failure) -> Hits:
    text = failure.frames[-1].text if failure.frames else failure.surrounding
    if FIRST.search(text):
        yield failure.hit(say("question-has-no-answer"))


@explains("asked-of-the-older-file")
def asked_of_the_older_file(failure: Failure) -> Hits:
    yield failure.hit(say("file-squad-has-no"))
