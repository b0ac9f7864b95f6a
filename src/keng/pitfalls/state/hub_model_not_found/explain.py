"""Error messages: a model, or a file of it, is not found under the name given to `torch.hub` or to the Hub of Hugging Face."""

from __future__ import annotations

from collections.abc import Mapping

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.pitfalls.state._shared_explain import packed_format
from keng.rules import explains


@explains("not-in-timm")
def not_in_timm(failure: Failure) -> Hits:
    name = failure.groups["name"]
    unknown = say("not-in-timm", name=name, part=name[:6])
    weights = "weights" in failure.message
    yield failure.hit(
        say("not-in-timm-with-weights", name=name, part=name[:6]) if weights else unknown
    )


@explains("weights-of-another-name")
def weights_of_another_name(failure: Failure) -> Hits:
    tag, name, known = (failure.groups.get(each) for each in ("tag", "name", "known"))
    if tag == "encoder":
        yield failure.hit(say("segmentation-models-pytorch-knows", name=name))
    elif known:
        yield failure.hit(say("weights-named", name=name, tag=tag, known=known))
    else:
        yield failure.hit(say("has-no-weights-named", name=name, tag=tag))


@explains("no-repository-there")
def no_repository_there(failure: Failure) -> Hits:
    if failure.passed_through("torch/hub.py") and "torch/hub" not in failure.groups["folder"]:
        yield failure.hit(say("holds-no-hubconf-py", folder=failure.groups["folder"]))


@explains("asked-for-trust")
def asked_for_trust(failure: Failure) -> Hits:
    if failure.passed_through("torch/hub.py"):
        yield failure.hit(say("torch-hub-asks-whether"))


@explains("file-not-in-it")
def file_not_in_it(failure: Failure) -> Hits:
    name, file = failure.groups["name"], failure.groups["file"]
    values = {"name": name, "file": file}
    weights = "model" in file or "gguf" in name.lower()
    packed = _packed(packed_format(name), values) if weights else None
    yield failure.hit(packed or _missing(file, values))


@explains("neither-a-file-nor-a-name")
def neither_a_file_nor_a_name(failure: Failure) -> Hits:
    name, model = failure.groups["name"], failure.groups.get("model", "")
    weights = say("no-weights-of-model", name=name, model=model)
    yield failure.hit(weights if model else say("no-model", name=name))


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


def _missing(file: str, values: Mapping[str, str]) -> Message:
    if "processor" in file:
        return say("processor-missing", **values)
    if "token" in file:
        return say("tokenizer-missing", **values)
    if "config.json" in file:
        return say("config-missing", **values)
    return say("weights-missing", **values) if "model" in file else say("file-missing", **values)
