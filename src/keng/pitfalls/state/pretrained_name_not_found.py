r"""What is to be loaded is not there under the name that was given.

`from_pretrained` looks for a folder of that name first, from where the program runs, and takes any other name for one of the Hub, `owner/name`. So a path with a slip
in it, or one that is right from another folder, is asked of the Hub. A folder that has the name of a model hides the model. What is private, or misspelt, is not there
for the Hub either, and a repository need not hold each of the files: a configuration, weights, a tokenizer, a processor.

Cure: `os.path.isdir(name)` where the program runs, or an absolute path; the name as the page of the model shows it; `tokenizer.save_pretrained(folder)` beside
`model.save_pretrained(folder)`, or the tokenizer of the model that was fine-tuned.

Bad:

```python
from transformers import AutoModel

model = AutoModel.from_pretrained("./out/checkpoint-500")  # seen: `./out/checkpoint-500`
```

Bad (a folder of a model without its processor):

```python
import tempfile

from transformers import AutoImageProcessor, ViTConfig

folder = tempfile.mkdtemp()
ViTConfig(num_hidden_layers=1).save_pretrained(folder)
processor = AutoImageProcessor.from_pretrained(folder)  # seen: `image processor`
```

Good:

```python
import tempfile

from transformers import AutoModel, BertConfig, BertModel

folder = tempfile.mkdtemp()
BertModel(BertConfig(num_hidden_layers=1)).save_pretrained(folder)
model = AutoModel.from_pretrained(folder)
```

Message (transformers 3.1 to 4.12; `positive`):

```text
OSError: Can't load tokenizer for 'positive'. Make sure that:

- 'positive' is a correct model identifier listed on 'https://huggingface.co/models'

- or 'positive' is the correct path to a directory containing relevant tokenizer files
```

Message (transformers 4.13 to 5; `./out`):

```text
OSError: Can't load tokenizer for './out'. If you were trying to load it from 'https://huggingface.co/models', make sure you don't have a local directory with the same name. Otherwise, make sure './out' is the correct path to a directory containing all relevant files for a BertTokenizerFast tokenizer.
```

Message (transformers 4 and 5; `bert-base`):

```text
OSError: bert-base is not a local folder and is not a valid model identifier listed on 'https://huggingface.co/models'
If this is a private repository, make sure to pass a token having permission to this repo either by logging in with `hf auth login` or by passing `token=<your_token>`
```

Message (transformers 4.13 to 5; `preprocessor_config.json`):

```text
OSError: ./out does not appear to have a file named preprocessor_config.json. Checkout 'https://huggingface.co/./out/tree/main' for available files.
```

Message (transformers 4.13 to 4.57; `pytorch_model.bin`):

```text
OSError: u/lora-adapter does not appear to have a file named pytorch_model.bin, tf_model.h5, model.ckpt or flax_model.msgpack.
```

Message (huggingface_hub 0.11 to 0.36, a path that is not there; `/data/llama`):

```text
huggingface_hub.utils._validators.HFValidationError: Repo id must be in the form 'repo_name' or 'namespace/repo_name': '/data/llama'. Use `repo_type` argument if needed.
```

Message (transformers 4.36 to 4.57; `/data/llama`):

```text
OSError: Incorrect path_or_model_id: '/data/llama'. Please provide either the path to a local folder or the repo_id of a model on the Hub.
```

Message (huggingface_hub; `u/corpus`):

```text
huggingface_hub.errors.RepositoryNotFoundError: 404 Client Error. (Request ID: Root=1-65)

Repository Not Found for url: https://huggingface.co/api/models/u/corpus.
Please make sure you specified the correct `repo_id` and `repo_type`.
```

Message (huggingface_hub; `weights.bin`):

```text
huggingface_hub.errors.EntryNotFoundError: 404 Client Error. (Request ID: Root=1-65)

Entry Not Found for url: https://huggingface.co/u/model/resolve/main/weights.bin.
```

Message (open_clip 1; `./caches/clip.pt`):

```text
RuntimeError: Pretrained weights (./caches/clip.pt) not found for model ViT-B-16.
```

Message (open_clip 2; `laion2b`):

```text
RuntimeError: Pretrained weights (laion2b) not found for model ViT-B-32.Available pretrained tags (['openai', 'laion400m_e31', 'laion2b_e16'].
```

Message (OpenAI's CLIP, and Whisper; `ViT-B-32`):

```text
RuntimeError: Model ViT-B-32 not found; available models = ['RN50', 'RN101', 'ViT-B/32', 'ViT-B/16']
```

Message (timm of 2020, a warning, and what came from it; `random ones`):

```text
Pretrained model URL is invalid, using random initialization.
```

Message (timm, if the file was not found either, a warning; `random ones`):

```text
WARNING:timm.models._builder:No pretrained weights exist or were found for this model. Using random initialization.
```

Message (timm later, a warning; `random ones`):

```text
WARNING:timm.models.helpers:No pretrained weights exist for this model. Using random initialization.
```

Message (transformers 4 and 5; `gguf_file`):

```text
OSError: u/Llama-2-7B-GGUF does not appear to have a file named config.json. Checkout 'https://huggingface.co/u/Llama-2-7B-GGUF/main' for available files.
```

Message (transformers 4, of weights in 4 bits; `from_quantized`):

```text
OSError: u/Llama-2-7B-AWQ does not appear to have a file named pytorch_model.bin, tf_model.h5, model.ckpt or flax_model.msgpack.
```

Message (transformers 4 and 5; `fp16`):

```text
OSError: fp16 is not a valid git identifier (branch name, tag name or commit id) that exists for this model name. Check the model page at 'https://huggingface.co/u/model' for available revisions.
```

Message (transformers 3.5 to 4; `wants the folder`):

```text
ValueError: Calling GPT2Tokenizer.from_pretrained() with the path to a single file or url is not supported for this tokenizer. Use a model identifier or the path to a directory instead.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.tables.quantized_formats import WITHOUT_WEIGHTS, loader_of

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import transformers")

THERE = "a folder is for from_pretrained, and has to be there, os.path.isdir(...)"
BESIDE = {
    "processor": "processor.save_pretrained() beside the model, or the processor of the model that was fine-tuned",
    "token": "tokenizer.save_pretrained() beside the model, or the tokenizer of the model that was fine-tuned",
    "config.json": "a folder too high or too low, or an adapter, whose file is adapter_config.json",
    "model": "its weights are of another kind, as GGUF, or those of an adapter: see its files",
}


@pitfall.explains(
    r"Repo id must (?:be in the form 'repo_name' or 'namespace/repo_name'|use alphanumeric chars[^:\n]{5,200}): '(?P<name>[^'\n]{1,300})",
    r"Incorrect path_or_model_id: '(?P<name>[^'\n]{1,300})",
    odds=0.95,
)
def path_taken_for_a_name(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(f"`{name}` is taken for a name of the Hub, 'owner/name': {THERE}")


@pitfall.explains(
    r"Can't load (?:the )?(?P<what>tokenizer|config(?:uration)?|weights|model|image processor|processor|feature extractor|video processor) (?:for|of) '(?P<name>[^'\n]{1,300})'",
    odds=0.93,
)
def nothing_came(failure: Failure) -> Hits:
    what, name = failure.groups["what"], failure.groups["name"]
    yield failure.hit(
        f"no {what} came from `{name}`: the folder, from where the program runs, lacks its files, as where it was not saved beside the rest; "
        "or the Hub has no such name, or a folder here hides it"
    )


@pitfall.explains(
    r"(?P<name>\S{1,300}) is not a local folder (?:and is not a valid model identifier|or a valid repository name)",
    r"Repository Not Found for url: https?://[\w.-]{3,60}/(?:api/)?(?:(?:models|datasets|spaces)/)?(?P<name>[\w-][\w.-]{0,95}(?:/[\w.-]{0,95}[\w-])?)",
    odds=0.95,
)
def not_shown_to_this_user(failure: Failure) -> Hits:
    yield failure.hit(
        f"the Hub shows no `{failure.groups['name']}` to this user, and no folder here has that name: its spelling with its owner, a path from "
        "where the program runs, repo_type='dataset' for data, or a token where it is private"
    )


@pitfall.explains(
    r"(?P<name>\S{1,300}) does not appear to have (?:a file|files) named \(?'?(?P<file>[\w./-]{3,80}\w)(?!.{0,160}a file without the variant)",
    r"Entry Not Found for url: https?://[\w.-]{3,60}/(?:datasets/)?(?P<name>[\w./-]{1,190})/resolve/[^/\s]{1,80}/(?P<file>[\w./-]{1,190}\w)",
    odds=0.94,
)
def file_not_in_it(failure: Failure) -> Hits:
    name, file = failure.groups["name"], failure.groups["file"]
    cures = (cure for word, cure in BESIDE.items() if word in file)
    packed = loader_of(name) if "model" in file or "gguf" in name.lower() else ""
    yield failure.hit(
        f"`{name}` has no {file}: {packed or next(cures, 'see the files that it has')}"
    )


@pitfall.explains(r"(?P<name>\S{1,120}) is not a valid git identifier \(branch name", odds=0.95)
def no_such_revision(failure: Failure) -> Hits:
    yield failure.hit(
        f"the model has no branch, tag or commit `{failure.groups['name']}`, which revision= asks for: leave it out, or variant= where "
        "files of another precision are meant"
    )


@pitfall.explains(
    r"Pretrained weights \((?P<name>[^()\n]{1,300})\) not found for model (?P<model>[\w:/-]{1,100})",
    r"\bModel (?P<name>[^\n]{1,300}?) not found; available models = ",
    odds=0.95,
)
def neither_a_file_nor_a_name(failure: Failure) -> Hits:
    name, model = failure.groups["name"], failure.groups.get("model", "")
    what, known = "a model", "a name of those that it lists"
    if model:
        what, known = f"weights of {model}", f"open_clip.list_pretrained_tags_by_model('{model}')"
    yield failure.hit(
        f"`{name}` is neither a file, from where the program runs, nor {what} by that name: os.path.isfile(...), or {known}"
    )


FOLDER = "from_pretrained wants the folder, and is given a file in it"
SINGLE = {"with the path to a single file or url is not supported": FOLDER}
pitfall.answers(SINGLE | WITHOUT_WEIGHTS, odds=0.96)
