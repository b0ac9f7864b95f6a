"""Error messages: the files of a tokenizer do not suit the libraries that read them."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains

POINTER = "a Git LFS pointer, a page, or, of Llama 3 and later, a file for tiktoken: git lfs pull, or AutoTokenizer on the folder with tokenizer.json"


@explains("written-by-a-newer-one")
def written_by_a_newer_one(failure: Failure) -> Hits:
    yield failure.hit(
        f"tokenizer.json holds a {failure.groups['kind']} that the installed tokenizers does not know, as a newer one wrote it: pip install -U "
        "transformers tokenizers"
    )


@explains("no-model-of-sentencepiece")
def no_model_of_sentencepiece(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups.get('file') or 'tokenizer.model'} is no model of SentencePiece: {POINTER}"
    )


@explains("read-by-tiktoken")
def read_by_tiktoken(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['file']} is a model of SentencePiece, and tiktoken was tried on it: pip install sentencepiece protobuf, then restart"
    )


@explains("no-file-given")
def no_file_given(failure: Failure) -> Hits:
    if failure.passed_through("sentencepiece/__init__.py"):
        yield failure.hit(
            "the folder has no tokenizer.model, so that None is loaded: AutoTokenizer, which takes tokenizer.json, or the missing file"
        )
