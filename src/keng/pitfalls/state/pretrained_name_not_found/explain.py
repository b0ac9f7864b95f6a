"""Error messages: what is to be loaded is not there under the name that was given."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.pitfalls.state._shared_explain import loader_of_packed_weights
from keng.rules import explains

THERE = "a folder is for from_pretrained, and has to be there, os.path.isdir(...)"


BESIDE = {
    "processor": "processor.save_pretrained() beside the model, or the processor of the model that was fine-tuned",
    "token": "tokenizer.save_pretrained() beside the model, or the tokenizer of the model that was fine-tuned",
    "config.json": "a folder too high or too low, or an adapter, whose file is adapter_config.json",
    "model": "its weights are of another kind, as GGUF, or those of an adapter: see its files",
}


@explains("path-taken-for-a-name")
def path_taken_for_a_name(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(f"`{name}` is taken for a name of the Hub, 'owner/name': {THERE}")


@explains("nothing-came")
def nothing_came(failure: Failure) -> Hits:
    what, name = failure.groups["what"], failure.groups["name"]
    yield failure.hit(say("no-came-from-folder", name=what, name_2=name))


@explains("not-shown-to-this-user")
def not_shown_to_this_user(failure: Failure) -> Hits:
    yield failure.hit(say("hub-shows-no-user", name=failure.groups["name"]))


@explains("file-not-in-it")
def file_not_in_it(failure: Failure) -> Hits:
    name, file = failure.groups["name"], failure.groups["file"]
    cures = (cure for word, cure in BESIDE.items() if word in file)
    packed = loader_of_packed_weights(name) if "model" in file or "gguf" in name.lower() else ""
    yield failure.hit(
        say(
            "cure-has-no-file",
            cure=name,
            file=file,
            value=packed or next(cures, "see the files that it has"),
        )
    )


@explains("no-such-revision")
def no_such_revision(failure: Failure) -> Hits:
    yield failure.hit(say("model-has-no-branch", name=failure.groups["name"]))


@explains("neither-a-file-nor-a-name")
def neither_a_file_nor_a_name(failure: Failure) -> Hits:
    name, model = failure.groups["name"], failure.groups.get("model", "")
    what, known = "a model", "a name of those that it lists"
    if model:
        what, known = f"weights of {model}", f"open_clip.list_pretrained_tags_by_model('{model}')"
    yield failure.hit(say("neither-file-from-where", known=name, what=what, known_2=known))
