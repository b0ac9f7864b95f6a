r"""A pipeline or its adapter is loaded from files that are made for another.

`model_index.json` names the parts of a pipeline of diffusers and their classes. A pipeline that wants a part which is not named there does not begin; a class for which Transformers lacks a package is only a
stand-in. `variant="fp16"` asks for files with that word in their names, which many repositories have not. An adapter whose names fit no layer is loaded and does nothing.

Cure: `DiffusionPipeline.from_pretrained`, which takes the class out of the file; the missing part as an argument; no `variant`, as `torch_dtype` converts all the same; an adapter for the same base model.

Bad:

```python
from diffusers import StableDiffusionPipeline

pipeline = StableDiffusionPipeline.from_pretrained("out/sd", variant="fp16")
```

Good:

```python
import json

parts = json.loads('{"_class_name": "StableDiffusionPipeline"}')
```

Message (diffusers; `feature_extractor`):

```text
ValueError: Pipeline <class 'diffusers.pipelines.stable_diffusion.pipeline_onnx_stable_diffusion.OnnxStableDiffusionPipeline'> expected {'feature_extractor', 'safety_checker', 'text_encoder', 'vae_encoder', 'unet', 'vae_decoder', 'tokenizer', 'scheduler'}, but only {'safety_checker', 'text_encoder', 'vae_encoder', 'unet', 'vae_decoder', 'tokenizer', 'scheduler'} were passed.
```

Message (diffusers 0.35; `processor`):

```text
ValueError: Pipeline <class 'diffusers.pipelines.qwenimage.pipeline_qwenimage_edit.QwenImageEditPipeline'> expected ['processor', 'scheduler', 'text_encoder', 'tokenizer', 'transformer', 'vae'], but only {'tokenizer', 'vae', 'transformer', 'scheduler', 'text_encoder'} were passed.
```

Message (diffusers; `.fp16.`):

```text
ValueError: You are trying to load the model files of the `variant=fp16`, but no such modeling files are available.
```

Message (diffusers; `T5Tokenizer`):

```text
ValueError: The component <class 'transformers.utils.dummy_sentencepiece_objects.T5Tokenizer'> of <class 'diffusers.pipelines.ltx.pipeline_ltx_condition.LTXConditionPipeline'> cannot be loaded as it does not seem to have any of the loading methods defined in {'ModelMixin': ['save_pretrained', 'from_pretrained']}.
```

Message (diffusers; `UNet2DConditionModel`):

```text
No LoRA keys associated to UNet2DConditionModel found with the prefix='unet'. This is safe to ignore if LoRA state dict didn't originally have any UNet2DConditionModel related params.
```

Message (diffusers; `another base model`):

```text
Loading adapter weights from state_dict led to unexpected keys found in the model: single_transformer_blocks.0.proj_out.lora_A.default_0.weight.
```

Message (diffusers; `safety_cheker`):

```text
Keyword arguments {'safety_cheker': None} are not expected by StableDiffusionPipeline and will be ignored.
```

Message (diffusers; `AutoencoderKL`):

```text
The config attributes {'force_upcast': True} were passed to AutoencoderKL, but are not expected and will be ignored. Please verify your config.json configuration file.
```

Message (diffusers; `<cat-toy>`):

```text
ValueError: Token <cat-toy> already in tokenizer vocabulary. Please choose a different token name or remove <cat-toy> and embedding from the tokenizer and text encoder.
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="diffusers")

pitfall.answers(
    {
        "Loading adapter weights from state_dict led to": "layers of the adapter and of the model have other names: it was trained for another base model, or is converted by a newer diffusers",
    },
    odds=0.95,
)


@pitfall.explains(
    r"Pipeline <class '(?P<kind>[\w.]{3,200})'> expected (?P<wants>[\[{][^\]}]{2,900}[\]}]), but only (?P<there>[\[{][^\]}]{2,900}|set\(\))",
    odds=0.97,
)
def part_not_named(failure: Failure) -> Hits:
    wants, there = (set(re.findall(r"'(\w+)'", failure.groups[key])) for key in ("wants", "there"))
    kind, missing = failure.groups["kind"].rpartition(".")[2], ", ".join(sorted(wants - there))
    yield failure.hit(
        f"{kind} wants {missing}, and model_index.json has none: give it as an argument, or the pipeline that the file names, with a diffusers as new"
    )


@pitfall.explains(
    r"load (?:the )?model files of the `variant=(?P<variant>[\w.-]{1,20})`, but no such modeling files",
    odds=0.97,
)
def no_such_variant(failure: Failure) -> Hits:
    variant = failure.groups["variant"]
    yield failure.hit(
        f"no file of weights there has .{variant}. in its name: leave variant out, torch_dtype converts while loading"
    )


@pitfall.explains(
    r"The component <class '(?P<part>[\w.<>]{3,200})'> of <class '(?P<kind>[\w.]{3,200})'> cannot be loaded as it does not seem to have",
    odds=0.95,
)
def stand_in_for_a_class(failure: Failure) -> Hits:
    part = failure.groups["part"].rpartition(".")[2]
    yield failure.hit(
        f"`{part}` is a stand-in, as Transformers lacks a package for the class (sentencepiece, protobuf, torchvision), or is none that diffusers loads: install it, or update both"
    )


@pitfall.explains(
    r"No LoRA keys associated to (?P<kind>\w{3,80}) found with the prefix='?(?P<prefix>[\w.]{1,40})",
    odds=0.95,
)
def nothing_for_this_part(failure: Failure) -> Hits:
    kind, prefix = failure.groups["kind"], failure.groups["prefix"]
    yield failure.hit(
        f"the adapter has nothing under `{prefix}.` for {kind}: right where it was trained for the other part alone, else it does nothing"
    )


@pitfall.explains(
    r"Keyword arguments (?P<names>\{[^}\n]{1,300}\}?).{0,60}? are not expected by (?P<kind>\w{3,80}) and will be ignored",
    r"The config attributes (?P<names>\{[^}\n]{1,300}\}?)[^{\n]{0,300}? were passed to (?P<kind>\w{3,80}), but are not expected",
    odds=0.95,
)
def not_taken(failure: Failure) -> Hits:
    names, kind = failure.groups["names"][:100], failure.groups["kind"]
    yield failure.hit(
        f"{kind} of this diffusers knows no {names} and goes without: misspelt, an argument of the call, or of a newer version than is installed"
    )


@pitfall.explains(r"Token (?P<token>\S{1,60}) already in tokenizer vocabulary", odds=0.97)
def token_there_already(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['token']} was loaded before, as in a cell that runs again: unload_textual_inversion() first, or token= another"
    )
