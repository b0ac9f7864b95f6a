"""Error messages: questions without an answer are read as if each had one."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains

FIRST = re.compile(r"\[[\"']answer_start[\"']\]\[0\]|\bqa\[[\"']answers[\"']\]\[0\]")


@explains("none-or-several")
def none_or_several(failure: Failure) -> Hits:
    yield failure.hit(
        "a question of the file has no answer, as some of SQuAD 2.0, or several, as in its dev files: --version_2_with_negative for 2.0, or the train file of 1.1"
    )


@explains("first-of-none")
def first_of_none(failure: Failure) -> Hits:
    text = failure.frames[-1].text if failure.frames else failure.surrounding
    if FIRST.search(text):
        yield failure.hit(
            "a question has no answer, as some of SQuAD 2.0: the span (0, 0) for it, or such rows left out"
        )


@explains("asked-of-the-older-file")
def asked_of_the_older_file(failure: Failure) -> Hits:
    yield failure.hit(
        "the file is as SQuAD 1.1 and has no is_impossible, which 2.0 has: .get('is_impossible', False), or without --version_2_with_negative"
    )
