r"""A folder is loaded that lacks the files of a model.

`from_pretrained` wants `config.json` and one file of weights under the names that it knows, or the index of several. A run that was broken off, a folder one level too high
(`out` for `out/checkpoint-500`), shards that DeepSpeed or FSDP left unmerged, and an adapter without its model lack them. A Trainer resumes from a folder with the state
of the optimizer and of the trainer alone. A large model is in shards, which the index names, and a download that was broken off or a folder of quantized weights beside a foreign index lacks some of them. What a
script opens by itself as `pytorch_model.bin` is called `model.safetensors` since Transformers 4.35.

Cure: `ls` the folder; give `checkpoint-N` itself; `PeftModel.from_pretrained(model, folder)` for a folder with `adapter_config.json`; `zero_to_fp32.py` for shards; the rest of the download; save again where
the run ended too early.

Bad:

```python
import tempfile

from transformers import AutoModel, BertConfig

folder = tempfile.mkdtemp()
BertConfig(num_hidden_layers=1).save_pretrained(folder)
model = AutoModel.from_pretrained(folder)
```

Good:

```python
import tempfile

from transformers import AutoModel, BertConfig, BertModel

folder = tempfile.mkdtemp()
BertModel(BertConfig(num_hidden_layers=1)).save_pretrained(folder)
model = AutoModel.from_pretrained(folder)
```

Message (PEFT; `no adapter`):

```text
ValueError: Can't find 'adapter_config.json' at './out'
```

Message (transformers 4 and 5; `checkpoint-N`):

```text
ValueError: No valid checkpoint found in output directory (./out)
```

Message (deepspeed 0; `latest`):

```text
[WARNING] [engine.py:2580:load_checkpoint] Unable to find latest file at ./out/latest, if trying to load latest checkpoint please ensure this file exists or pass an explicit checkpoint tag when loading a checkpoint.
```

Message (Lightning 2; `shards`):

```text
ValueError: The path 'out' does not point to a valid checkpoint. Make sure the path points to either a directory with FSDP checkpoint shards, or a single file with a full checkpoint.
```

Message (accelerate; `save_state`):

```text
ValueError: Tried to find ./out/checkpoint_3 but folder does not exist
```

Message (transformers and diffusers; `./out`):

```text
OSError: Error no file named pytorch_model.bin, model.safetensors, tf_model.h5, model.ckpt.index or flax_model.msgpack found in directory ./out.
```

Message (transformers 5; `./out`):

```text
OSError: Error no file named model.safetensors, or pytorch_model.bin, found in directory ./out.
```

Message (PEFT; `./out`):

```text
ValueError: Can't find weights for ./out in ./out or in the Hugging Face Hub. Please check that the file adapter_model.bin or adapter_model.safetensors is present at ./out.
```

Message (sentence-transformers; `./out`):

```text
ValueError: Could not find 'model.safetensors' or 'pytorch_model.bin' in ./out.
```

Bad (a pointer in place of the configuration):

```python
import tempfile
from pathlib import Path

from transformers import AutoConfig

folder = tempfile.mkdtemp()
(Path(folder) / "config.json").write_text("version https://git-lfs.github.com/spec/v1")
config = AutoConfig.from_pretrained(folder)  # seen: `Git LFS`
```

Bad (a shard of several):

```python
import tempfile
from pathlib import Path

from transformers import AutoModel, BertConfig, BertModel

folder = Path(tempfile.mkdtemp())
model = BertModel(BertConfig(num_hidden_layers=1, hidden_size=24, vocab_size=900))
model.save_pretrained(folder, max_shard_size="100KB")
next(folder.glob("model-00002-of-*")).unlink()
model = AutoModel.from_pretrained(folder)  # seen: `model-00002-of-`
```

Bad (a file under its older name):

```python
import tempfile
from pathlib import Path

import torch
from transformers import BertConfig, BertModel

folder = Path(tempfile.mkdtemp())
BertModel(BertConfig(num_hidden_layers=1)).save_pretrained(folder)
state = torch.load(folder / "pytorch_model.bin")  # seen: `model.safetensors`
```

Message (transformers 4; `of the 7`):

```text
FileNotFoundError: [Errno 2] No such file or directory: 'D:\\models\\Guanaco-33B-4bit\\pytorch_model-00001-of-00007.bin'
```

Message (safetensors; `of the 2`):

```text
FileNotFoundError: No such file or directory: "/data/llama/model-00001-of-00002.safetensors"
```

Message (peft 0.7 and later; `adapter_model.safetensors`):

```text
FileNotFoundError: [Errno 2] No such file or directory: './out/adapter_model.bin'
```

Message (transformers 4, of weights in 4 bits; `GPTQ`):

```text
OSError: Error no file named pytorch_model.bin, tf_model.h5, model.ckpt.index or flax_model.msgpack found in directory models\vicuna-13b-4bit-128g.
```

Message (transformers 4 and 5; `gguf_file`):

```text
OSError: Error no file named pytorch_model.bin, model.safetensors, tf_model.h5, model.ckpt.index or flax_model.msgpack found in directory models/Llama-2-13B-GGUF.
```

Message (transformers 4; `from_tf=True`):

```text
OSError: Error no file named pytorch_model.bin found in directory ./out but there is a file for TensorFlow weights. Use `from_tf=True` to load this model from those weights.
```

Message (transformers 4.20; `a newer library`):

```text
OSError: Error no file named pytorch_model.bin, tf_model.h5, model.ckpt.index or flax_model.msgpack found in directory ./out.
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.tables.quantized_formats import loader_of

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import transformers")

FROM = {"TensorFlow": "tf", "Flax": "flax"}
CURES = {
    "It looks like the config file at '": "the configuration is no JSON, as a Git LFS pointer, a page, or what was written by hand with a comma too many is none: see its first lines",
    "Can't find 'adapter_config.json' at": "the folder holds no adapter: the whole model may be in it (AutoModel...from_pretrained), or the adapter one folder deeper",
    "No valid checkpoint found in output directory": "nothing to resume from is there: resume_from_checkpoint wants a folder checkpoint-N that was written to its end, or False for a new run",
    "Can't find a valid checkpoint at": "nothing to resume from is there: resume_from_checkpoint wants a folder checkpoint-N that was written to its end, or False for a new run",
    "Can't find a checkpoint index (": "nothing to resume from is there: resume_from_checkpoint wants a folder checkpoint-N that was written to its end, or False for a new run",
    "[deepspeed] failed to resume from checkpoint": "no checkpoint of DeepSpeed is there: the folder has to hold `latest` and the folder global_stepN that it names",
    "Unable to find 'latest' file at": "no checkpoint of DeepSpeed is there: the folder has to hold `latest` and the folder global_stepN that it names",
    "Unable to find latest file at": "no checkpoint of DeepSpeed is there: the folder has to hold `latest` and the folder global_stepN that it names",
    "does not point to a valid checkpoint. Make sure the path points": "the path is neither a folder of shards nor one file of weights: name the folder itself, or consolidate the shards first",
    "but folder does not exist": "load_state is given no folder that save_state wrote: its path, as checkpoints/checkpoint_0",
    "No input_dir provided and automatic checkpoint naming is disabled": "load_state is given no folder that save_state wrote: its path, as checkpoints/checkpoint_0",
}

pitfall.answers(CURES, odds=0.95)


@pitfall.explains(
    r"Error no file named (?P<files>[\w.]{3,60}).{0,200}? found in directory (?P<folder>\S{1,300}?)\.?(?: |$)",
    r"Can't find weights for \S{1,300} in \S{1,300} or in the .{0,60}?the file (?P<files>[\w.]{3,60}) .{0,80}?present at (?P<folder>\S{1,300}?)\.?(?: |$)",
    r"Could not find '(?P<files>[\w.]{3,60})' or '[\w.]{3,60}' in (?P<folder>\S{1,300}?)\.?(?: |$)",
    odds=0.95,
)
def no_weights_there(failure: Failure) -> Hits:
    files, folder = failure.groups["files"], failure.groups["folder"]
    other = re.search(r"there is a file for (\w{3,12}) weights", failure.message)
    if other:
        yield failure.hit(
            f"`{folder}` holds weights of {other[1]} alone: from_{FROM.get(other[1], 'tf')}=True, where this Transformers has it, or a folder with {files}"
        )
        return
    cure = "the folder checkpoint-N, an adapter, or shards to be merged first"
    if "safetensors" not in failure.message:
        cure += "; a model.safetensors there wants a newer library"
    yield failure.hit(
        f"`{folder}` holds neither {files} nor another file of weights: {loader_of(folder) or cure}"
    )


@pitfall.explains(
    r"No such file or directory: ['\"]?(?P<folder>[^'\"\n]{0,300}?)[/\\]{0,2}(?P<file>\w{0,40}model-\d{5}-of-0{0,4}(?P<of>\d{1,5})\.(?:bin|safetensors))",
    odds=0.95,
)
def shard_missing(failure: Failure) -> Hits:
    folder, file, of = (failure.groups[key] for key in ("folder", "file", "of"))
    where = f"`{folder}`".replace("\\\\", "\\") if folder else "the folder"
    yield failure.hit(
        f"{where} lacks {file}, one of the {of} files that its index names: fetch the rest; where the weights are in another file, as quantized ones are, remove the index"
    )


@pitfall.explains(
    r"No such file or directory: ['\"]?(?P<folder>[^'\"\n]{0,300}?)[/\\]{0,2}\b(?P<file>(?:diffusion_)?pytorch_model|adapter_model|pytorch_lora_weights)\.bin",
    odds=0.9,
)
def under_its_older_name(failure: Failure) -> Hits:
    file, folder = failure.groups["file"], failure.groups["folder"]
    where = f"`{folder}`".replace("\\\\", "\\") if folder else "the folder"
    now = "model" if file == "pytorch_model" else file
    yield failure.hit(
        f"{where} holds no {file}.bin: save_pretrained writes {now}.safetensors today (transformers 4.35, peft 0.7), for safetensors.torch.load_file, or shards of it"
    )
