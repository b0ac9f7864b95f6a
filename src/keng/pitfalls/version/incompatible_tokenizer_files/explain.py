"""Error messages: the files of a tokenizer do not suit the libraries that read them."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

POINTER = "a Git LFS pointer, a page, or, of Llama 3 and later, a file for tiktoken: git lfs pull, or AutoTokenizer on the folder with tokenizer.json"


@explains("written-by-a-newer-one")
def written_by_a_newer_one(failure: Failure) -> Hits:
    yield failure.hit(say("tokenizer-json-holds-installed", kind=failure.groups["kind"]))


@explains("no-model-of-sentencepiece")
def no_model_of_sentencepiece(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups.get('file') or 'tokenizer.model'} is no model of SentencePiece: {POINTER}"
    )


@explains("read-by-tiktoken")
def read_by_tiktoken(failure: Failure) -> Hits:
    yield failure.hit(say("model-sentencepiece-tiktoken-was", file=failure.groups["file"]))


@explains("no-file-given")
def no_file_given(failure: Failure) -> Hits:
    if failure.passed_through("sentencepiece/__init__.py"):
        yield failure.hit(say("folder-has-no-tokenizer"))
