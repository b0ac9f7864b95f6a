"""Error messages: the files of a tokenizer do not suit the libraries that read them."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("written-by-a-newer-one")
def written_by_a_newer_one(failure: Failure) -> Hits:
    yield failure.hit(say("written-by-newer", kind=failure.groups["kind"]))


@explains("no-model-of-sentencepiece")
def no_model_of_sentencepiece(failure: Failure) -> Hits:
    file = failure.groups.get("file") or "tokenizer.model"
    yield failure.hit(say("not-sentencepiece", file=file))


@explains("read-by-tiktoken")
def read_by_tiktoken(failure: Failure) -> Hits:
    yield failure.hit(say("sentencepiece-read-by-tiktoken", file=failure.groups["file"]))


@explains("no-file-given")
def no_file_given(failure: Failure) -> Hits:
    if failure.passed_through("sentencepiece/__init__.py"):
        yield failure.hit(say("no-tokenizer-file"))
