"""Error messages: a model is loaded by a class that is not for it."""

from __future__ import annotations

import difflib
import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains
from keng.tables.older_transformers import LATER_TASKS

CLASSES = {
    r"(?:M?T5|UMT5|LongT5|Pegasus|Marian|M2M100|MBart|NllbMoe|LED)": "AutoModelForSeq2SeqLM",
    r"(?:\w*Llava|Qwen\w{1,6}VL|Idefics|PaliGemma|Mllama|InternVL|Pixtral|SmolVLM)": "AutoModelForImageTextToText",
    r"(?:Whisper|Speech2Text)": "AutoModelForSpeechSeq2Seq",
}


@explains("not-of-this-task")
def not_of_this_task(failure: Failure) -> Hits:
    config, auto = failure.groups["config"], failure.groups["auto"]
    fits = [name for pattern, name in CLASSES.items() if re.match(pattern, config) and name != auto]
    if not auto:
        yield failure.hit(say("without-tokenizer", config=config))
    elif fits:
        yield failure.hit(say("not-of-this-class", config=config, auto=auto, instead=fits[0]))
    else:
        yield failure.hit(say("look-at-architectures", config=config, auto=auto))


@explains("task-not-there")
def task_not_there(failure: Failure) -> Hits:
    task, known = failure.groups["task"], failure.groups.get("known", "")
    near = difflib.get_close_matches(task, re.findall(r"[\w-]{2,60}", known), 1)
    says = say("transformers-has-no-task", task=task)
    if task in LATER_TASKS:
        says = say("newer-transformers-has-task", task=task)
    elif near:
        says = say("pipeline-calls-no-task", task=task, near=near[0])
    yield failure.hit(says)


@explains("of-another-kind")
def of_another_kind(failure: Failure) -> Hits:
    file, asked = failure.groups["file"], failure.groups.get("asked")
    known = say("file-says-loads-automodel", file=file, asked=asked)
    yield failure.hit(known if asked else say("file-says-other-class", file=file))
