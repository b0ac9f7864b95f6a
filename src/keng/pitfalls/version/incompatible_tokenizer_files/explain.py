"""Error messages: the files of a tokenizer do not suit the libraries that read them."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-model-of-sentencepiece")
def no_model_of_sentencepiece(failure: Failure) -> Hits:
    file = failure.groups.get("file") or "tokenizer.model"
    yield failure.hit(say("not-sentencepiece", file=file))


@explains("no-file-given")
def no_file_given(failure: Failure) -> Hits:
    if failure.passed_through("sentencepiece/__init__.py"):
        yield failure.hit(say("no-tokenizer-file"))
