r"""The model is newer than the Transformers that is installed.

The `config.json` of a checkpoint names the type of its model, and its tokenizer's class. Each release of Transformers knows the types that there were then, and refuses others: `llama` is known
since 4.28, `qwen3` since 4.51. Before 4.37 the refusal is a bare `KeyError: 'mistral'` out of `configuration_auto.py`.

Cure: `pip install -U transformers`, then restart the notebook's kernel; where a project pins an older one, a model of its time. A model that brings code of its
own (`auto_map` in its config) wants `trust_remote_code=True`, once that code has been read.

Bad:

```python
import json
import tempfile
from pathlib import Path

from transformers import AutoConfig

folder = Path(tempfile.mkdtemp())
(folder / "config.json").write_text(json.dumps({"model_type": "llama-of-2099"}))
config = AutoConfig.from_pretrained(folder)
```

Good:

```python
import json
import tempfile
from pathlib import Path

from transformers import AutoConfig

folder = Path(tempfile.mkdtemp())
(folder / "config.json").write_text(json.dumps({"model_type": "llama"}))
config = AutoConfig.from_pretrained(folder)
```

Message (transformers 4.37 to 5; `4.51`):

```text
ValueError: The checkpoint you are trying to load has model type `qwen3` but Transformers does not recognize this architecture. This could be because of an issue with the checkpoint, or because your version of Transformers is out of date.
```

Message (transformers 4.12 to 4.36; `4.34`):

```text
Traceback (most recent call last):
  File "chat.py", line 7, in <module>
    model = AutoModelForCausalLM.from_pretrained("mistralai/Mistral-7B-v0.1")
  File "/env/lib/python3.10/site-packages/transformers/models/auto/configuration_auto.py", line 957, in from_pretrained
    config_class = CONFIG_MAPPING[config_dict["model_type"]]
  File "/env/lib/python3.10/site-packages/transformers/models/auto/configuration_auto.py", line 671, in __getitem__
    raise KeyError(key)
KeyError: 'mistral'
```

Message (transformers 4.0 to 4.57; `4.28`):

```text
ValueError: Tokenizer class LlamaTokenizer does not exist or is not currently imported.
```

Message (a configuration of the first LLaMA checkpoints; `LlamaTokenizer`):

```text
ValueError: Tokenizer class LLaMATokenizer does not exist or is not currently imported.
```

Message (transformers 4.31 to 5; `microsoft/phi-2`):

```text
ValueError: The repository for microsoft/phi-2 contains custom code which must be executed to correctly load the model. You can inspect the repository content at https://hf.co/microsoft/phi-2.
Please pass the argument `trust_remote_code=True` to allow custom code to be run.
```

Message (transformers 4.5 to 4.30; `tiiuae/falcon-7b`):

```text
ValueError: Loading tiiuae/falcon-7b requires you to execute the configuration file in that repo on your local machine. Make sure you have read the code there to avoid malicious use, then set the option `trust_remote_code=True` to remove this error.
```

Message (transformers 4.31 to 4.42, of Llama 3.1; `llama3`):

```text
ValueError: `rope_scaling` must be a dictionary with two fields, `type` and `factor`, got {'factor': 8.0, 'low_freq_factor': 1.0, 'high_freq_factor': 4.0, 'original_max_position_embeddings': 8192, 'rope_type': 'llama3'}
```

Message (transformers 4.31 to 4.42; `longrope`):

```text
ValueError: `rope_scaling`'s type field must be one of ['linear', 'dynamic'], got longrope
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.tables import libraries

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import transformers")


@pitfall.explains(
    r"has model type `(?P<kind>[\w.-]{1,80})` but Transformers does not recognize",
    r"KeyError: '?(?P<kind>[a-z][\w.-]{1,80})",
    odds=0.97,
)
def type_not_known(failure: Failure) -> Hits:
    kind = failure.groups["kind"]
    version = libraries.version_that_knows(kind)
    asked = failure.kind != "KeyError" or failure.passed_through(
        "/transformers/models/auto/configuration_auto.py"
    )
    if version and asked:
        yield failure.hit(_older(f"models of type `{kind}`", version))
    elif asked:
        yield failure.hit(
            f"no transformers of today has models of type `{kind}`: a newer one, or the model's own code, read first (trust_remote_code=True)"
        )


@pitfall.explains(
    r"Tokenizer class (?P<name>\w{1,80}) does not exist or is not currently imported", odds=0.96
)
def tokenizer_not_known(failure: Failure) -> Hits:
    name = failure.groups["name"]
    change = libraries.of_name("transformers", name)
    if name == "LLaMATokenizer":
        yield failure.hit(
            'the tokenizer_config.json of the checkpoint writes it as no release does: "tokenizer_class": "LlamaTokenizer"'
        )
    elif change is not None and change.came:
        yield failure.hit(_older(f"`{name}`", change.came))


def _older(what: str, version: str) -> str:
    return f"transformers has {what} since {version}, and the one that is installed is older: pip install -U transformers"


@pitfall.explains(
    r"The repository (?:for )?(?P<name>\S{1,300}) (?:references|contains) custom code which must be executed to correctly load the model",
    r"Loading (?P<name>\S{1,300}) requires you to execute the (?:configuration|model\w*|tokenizer|processor|feature extractor|image processor) file in that repo",
    odds=0.95,
)
def brings_its_code(failure: Failure) -> Hits:
    yield failure.hit(
        f"this transformers has no class of its own for `{failure.groups['name']}`, which brings code: a newer transformers may have it; else read the "
        "code, then trust_remote_code=True with revision='that commit'"
    )


@pitfall.explains(
    r"`rope_scaling` must be a dictionary with (?:with )?(?:two|three) fields, .{4,60}?, got \{(?:[^}\n]{0,300}?'(?:rope_)?type': '(?P<kind>\w{2,30})')?",
    r"`rope_scaling`'s (?:type|name) field must be one of \[[^\]\n]{3,80}\], got (?P<kind>\w{2,30})",
    odds=0.95,
)
def positions_not_known(failure: Failure) -> Hits:
    kind = failure.groups.get("kind")
    what = f" `{kind}`" if kind else ""
    since = ", known since 4.43," if kind == "llama3" else ""
    yield failure.hit(
        f"the config scales its positions in a way{what}{since} that the installed transformers does not know: pip install -U transformers"
    )
