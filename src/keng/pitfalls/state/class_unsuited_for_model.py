r"""A model is loaded by a class that is not for it.

The `config.json` of a model names its type and, under `architectures`, its class. An `AutoModelFor...` makes the class of one task from the type, and not every type has every task: T5 is no
`AutoModelForCausalLM`, a vision language model is `AutoModelForImageTextToText`. A folder whose `config.json` names no type is none of a model of Transformers: an adapter, a pipeline of
diffusers, the original files of the authors. Transformers 5 has fewer tasks for `pipeline()`.

Cure: the class that stands under `architectures`, or the `AutoModelFor...` of the model's page; `pipeline(model=...)` finds the task; the processor or tokenizer saved beside the model.

Bad:

```python
from transformers import AutoModelForCausalLM, T5Config

model = AutoModelForCausalLM.from_config(T5Config())  # seen: `AutoModelForSeq2SeqLM`
```

Bad (a folder without a type):

```python
import tempfile
from pathlib import Path

from transformers import AutoConfig

folder = tempfile.mkdtemp()
(Path(folder) / "config.json").write_text("{}")
config = AutoConfig.from_pretrained(folder)  # seen: `model_type`
```

Bad (a task that is called otherwise):

```python
from transformers import pipeline

write = pipeline("text-generator")  # seen: `text-generation`
```

Good:

```python
from transformers import AutoModelForSeq2SeqLM, T5Config

model = AutoModelForSeq2SeqLM.from_config(T5Config(num_layers=1, d_ff=8, d_model=8))
```

Message (transformers 4.0 to 4.57; `LlavaConfig`):

```text
ValueError: Unrecognized configuration class <class 'transformers.models.llava.configuration_llava.LlavaConfig'> for this kind of AutoModel: AutoModelForCausalLM.
Model type should be one of AriaTextConfig, BambaConfig, BartConfig.
```

Message (transformers 4 and 5; `./clip`):

```text
ValueError: Unrecognized image processor in ./clip. Should have a `image_processor_type` key in its preprocessor_config.json of config.json, or one of the following `model_type` keys in its config.json: align, beit
```

Message (transformers 4 and 5; `./out`):

```text
ValueError: Unrecognized processing class in ./out. Can't instantiate a processor, a tokenizer, an image processor or a feature extractor for this model. Make sure the repository contains the files of at least one of those processing classes.
```

Message (transformers 5; `summarization`):

```text
KeyError: 'The task summarization has been removed from transformers. Use the `text-generation` pipeline with a chat model instead. See the migration guide for more details: https://github.com/huggingface/transformers/blob/main/MIGRATION_GUIDE_V5.md#pipelines'
```

Message (transformers 4; `llama`):

```text
You are using a model of type llama to instantiate a model of type bert. This is not supported for all configurations of models and can yield errors.
```

Message (transformers 4; `LlamaTokenizer`):

```text
The tokenizer class you load from this checkpoint is not the same type as the class this function is called from. It may result in unexpected tokenization.
The tokenizer class you load from this checkpoint is 'LlamaTokenizer'.
The class this function is called from is 'CodeLlamaTokenizer'.
```

Message (transformers 4 and 5; `PeftModelForCausalLM`):

```text
The model 'PeftModelForCausalLM' is not supported for text-generation. Supported models are ['BartForCausalLM', 'BertLMHeadModel'].
```

Message (transformers 4.40; `pip install -U transformers`):

```text
KeyError: "Unknown task image-text-to-text, available tasks are ['audio-classification', 'image-to-text', 'text-generation']"
```
"""

import difflib
import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.tables.older_transformers import LATER_TASKS

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import transformers")

CLASSES = {
    r"(?:M?T5|UMT5|LongT5|Pegasus|Marian|M2M100|MBart|NllbMoe|LED)": "AutoModelForSeq2SeqLM",
    r"(?:\w*Llava|Qwen\w{1,6}VL|Idefics|PaliGemma|Mllama|InternVL|Pixtral|SmolVLM)": "AutoModelForImageTextToText",
    r"(?:Whisper|Speech2Text)": "AutoModelForSpeechSeq2Seq",
}
PARTS = "AutoProcessor, or the tokenizer of its text part"


@pitfall.explains(
    r"Unrecognized configuration class <class '[\w.-]{1,300}?(?P<config>\w{1,80})'> (?:for this kind of AutoModel: (?P<auto>\w{1,80})|to build an (?P<made>AutoTokenizer))",
    odds=0.96,
)
def not_of_this_task(failure: Failure) -> Hits:
    config, auto = failure.groups["config"], failure.groups["auto"]
    fits = [name for pattern, name in CLASSES.items() if re.match(pattern, config) and name != auto]
    instead = fits[0] if auto and fits else "the class that config.json names under architectures"
    says = f"none of {auto}: {instead}" if auto else f"without a tokenizer of its own: {PARTS}"
    yield failure.hit(f"a model with {config} is {says}")


@pitfall.explains(
    r"Unrecognized model in (?P<folder>\S{1,300}?)\.(?: Should have a `model_type`|$)", odds=0.95
)
def of_no_type(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['folder']}` has no config.json with a `model_type`: an adapter, a pipeline of diffusers, another library's files, or "
        "the wrong folder"
    )


@pitfall.explains(
    r"Unrecognized (?P<what>image processor|feature extractor|video processor|processing class) in (?P<folder>\S{1,300}?)\. (?:Should have|Can't inst)",
    odds=0.95,
)
def without_a_processor(failure: Failure) -> Hits:
    folder = failure.groups["folder"]
    yield failure.hit(
        f"`{folder}` does not say which processor is its own, as where the model alone was saved: processor.save_pretrained('{folder}'), or the "
        "processor of the model that was fine-tuned"
    )


@pitfall.explains(
    r"Unknown task (?P<task>[\w-]{2,60}), available tasks are \[(?P<known>[^\]]{10,1500})",
    r"The task (?P<task>[\w-]{2,60}) has been removed from transformers",
    odds=0.95,
)
def task_not_there(failure: Failure) -> Hits:
    task, known = failure.groups["task"], failure.groups.get("known", "")
    near = difflib.get_close_matches(task, re.findall(r"[\w-]{2,60}", known), 1)
    says = f"this transformers has no task `{task}`: pip install 'transformers<5' where that had it, or model.generate() itself"
    if task in LATER_TASKS:
        says = f"a newer transformers has the task `{task}`: pip install -U transformers"
    elif near:
        says = f"pipeline() calls no task `{task}`: `{near[0]}`"
    yield failure.hit(says)


@pitfall.explains(
    r"You are using a model of type `?(?P<file>[\w-]{1,60})`? to instantiate a model of type `?(?P<asked>[\w-]{0,60})`?\. This",
    r"The tokenizer class you load from this checkpoint is '(?P<file>\w{1,80})'",
    odds=0.9,
)
def of_another_kind(failure: Failure) -> Hits:
    file, asked = failure.groups["file"], failure.groups.get("asked") or "another kind"
    yield failure.hit(
        f"the file says {file}, and {asked} loads it: AutoModel... and AutoTokenizer take the class of the file; where the two are no relatives, weights are "
        "random or texts are cut otherwise"
    )


@pitfall.explains(
    r"The model '(?P<model>\w{1,80})' is not supported for (?P<task>[\w-]{0,60})\. Supported models are",
    odds=0.85,
)
def not_in_the_list(failure: Failure) -> Hits:
    model, task = failure.groups["model"], failure.groups["task"]
    yield failure.hit(
        f"pipeline() does not have {model} in its list for {task}, and goes on: right for an adapter (PeftModel...) or a class of one's own that can do it"
    )
