"""Error messages: a folder is loaded that lacks the files of a model."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.pitfalls.state._shared_explain import loader_of_packed_weights
from keng.rules import explains

FROM = {"TensorFlow": "tf", "Flax": "flax"}


@explains("no-weights-there")
def no_weights_there(failure: Failure) -> Hits:
    files, folder = failure.groups["files"], failure.groups["folder"]
    other = re.search(r"there is a file for (\w{3,12}) weights", failure.message)
    if other:
        yield failure.hit(
            say(
                "holds-weights-alone-from",
                files=folder,
                other=other[1],
                get=FROM.get(other[1], "tf"),
                files_2=files,
            )
        )
        return
    cure = "the folder checkpoint-N, an adapter, or shards to be merged first"
    if "safetensors" not in failure.message:
        cure += "; a model.safetensors there wants a newer library"
    yield failure.hit(
        say(
            "holds-neither-nor-another",
            cure=folder,
            files=files,
            value=loader_of_packed_weights(folder) or cure,
        )
    )


@explains("shard-missing")
def shard_missing(failure: Failure) -> Hits:
    folder, file, of = (failure.groups[key] for key in ("folder", "file", "of"))
    where = f"`{folder}`".replace("\\\\", "\\") if folder else "the folder"
    yield failure.hit(say("lacks-one-files-index", of=where, file=file, of_2=of))


@explains("under-its-older-name")
def under_its_older_name(failure: Failure) -> Hits:
    file, folder = failure.groups["file"], failure.groups["folder"]
    where = f"`{folder}`".replace("\\\\", "\\") if folder else "the folder"
    now = "model" if file == "pytorch_model" else file
    yield failure.hit(say("holds-no-bin-save", now=where, file=file, now_2=now))
