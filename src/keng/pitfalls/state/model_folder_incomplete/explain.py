"""Error messages: a folder is loaded that lacks the files of a model."""

from __future__ import annotations

import re
from collections.abc import Mapping

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.pitfalls.state._shared_explain import packed_format
from keng.rules import explains

FROM = {"TensorFlow": "tf", "Flax": "flax"}


@explains("no-weights-there")
def no_weights_there(failure: Failure) -> Hits:
    files, folder = failure.groups["files"], failure.groups["folder"]
    values = {"folder": folder, "files": files}
    if other := re.search(r"there is a file for (\w{3,12}) weights", failure.message):
        flag = FROM.get(other[1], "tf")
        yield failure.hit(say("holds-weights-alone-from", other=other[1], flag=flag, **values))
    elif packed := _packed(packed_format(folder), values):
        yield failure.hit(packed)
    elif "safetensors" in failure.message:
        yield failure.hit(say("no-weights", **values))
    else:
        yield failure.hit(say("no-weights-perhaps-safetensors", **values))


@explains("shard-missing")
def shard_missing(failure: Failure) -> Hits:
    file, count = failure.groups["file"], failure.groups["of"]
    yield failure.hit(say("lacks-one-files-index", folder=_folder(failure), file=file, count=count))


@explains("under-its-older-name")
def under_its_older_name(failure: Failure) -> Hits:
    file = failure.groups["file"]
    now = "model" if file == "pytorch_model" else file
    yield failure.hit(say("holds-no-bin-save", folder=_folder(failure), file=file, now=now))


def _packed(form: str, values: Mapping[str, str]) -> Message | None:
    match form:
        case "GGUF":
            return say("packed-as-gguf", **values)
        case "GPTQ":
            return say("packed-as-gptq", **values)
        case "AWQ":
            return say("packed-as-awq", **values)
        case "ExLlama":
            return say("packed-as-exllama", **values)
    return None


def _folder(failure: Failure) -> str:
    folder = failure.groups["folder"]
    return f"`{folder}`".replace("\\\\", "\\") if folder else say("the-folder")
