"""Error messages: a model is loaded by a class that is not for it."""

from __future__ import annotations

import difflib
import re

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains
from keng.tables.older_transformers import LATER_TASKS

CLASSES = {
    r"(?:M?T5|UMT5|LongT5|Pegasus|Marian|M2M100|MBart|NllbMoe|LED)": "AutoModelForSeq2SeqLM",
    r"(?:\w*Llava|Qwen\w{1,6}VL|Idefics|PaliGemma|Mllama|InternVL|Pixtral|SmolVLM)": "AutoModelForImageTextToText",
    r"(?:Whisper|Speech2Text)": "AutoModelForSpeechSeq2Seq",
}


PARTS = "AutoProcessor, or the tokenizer of its text part"


@explains("not-of-this-task")
def not_of_this_task(failure: Failure) -> Hits:
    config, auto = failure.groups["config"], failure.groups["auto"]
    fits = [name for pattern, name in CLASSES.items() if re.match(pattern, config) and name != auto]
    instead = fits[0] if auto and fits else "the class that config.json names under architectures"
    says = f"none of {auto}: {instead}" if auto else f"without a tokenizer of its own: {PARTS}"
    yield failure.hit(f"a model with {config} is {says}")


@explains("of-no-type")
def of_no_type(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['folder']}` has no config.json with a `model_type`: an adapter, a pipeline of diffusers, another library's files, or "
        "the wrong folder"
    )


@explains("without-a-processor")
def without_a_processor(failure: Failure) -> Hits:
    folder = failure.groups["folder"]
    yield failure.hit(
        f"`{folder}` does not say which processor is its own, as where the model alone was saved: processor.save_pretrained('{folder}'), or the "
        "processor of the model that was fine-tuned"
    )


@explains("task-not-there")
def task_not_there(failure: Failure) -> Hits:
    task, known = failure.groups["task"], failure.groups.get("known", "")
    near = difflib.get_close_matches(task, re.findall(r"[\w-]{2,60}", known), 1)
    says = f"this transformers has no task `{task}`: pip install 'transformers<5' where that had it, or model.generate() itself"
    if task in LATER_TASKS:
        says = f"a newer transformers has the task `{task}`: pip install -U transformers"
    elif near:
        says = f"pipeline() calls no task `{task}`: `{near[0]}`"
    yield failure.hit(says)


@explains("of-another-kind")
def of_another_kind(failure: Failure) -> Hits:
    file, asked = failure.groups["file"], failure.groups.get("asked") or "another kind"
    yield failure.hit(
        f"the file says {file}, and {asked} loads it: AutoModel... and AutoTokenizer take the class of the file; where the two are no relatives, weights are "
        "random or texts are cut otherwise"
    )


@explains("not-in-the-list")
def not_in_the_list(failure: Failure) -> Hits:
    model, task = failure.groups["model"], failure.groups["task"]
    yield failure.hit(
        f"pipeline() does not have {model} in its list for {task}, and goes on: right for an adapter (PeftModel...) or a class of one's own that can do it"
    )
