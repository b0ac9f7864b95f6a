r"""A model is to be quantized by options that do not fit each other, the file or the card.

A model is packed into fewer bits while its weights are loaded, by one method, with kernels that are made for cards. A file that is packed already says by which method, and
takes no other. A model that is there cannot be packed any more, and one that is packed takes gradients through adapters alone.

Cure: one of 4 and 8 bits; no `quantization_config` for a file that has one; give it to `from_pretrained` and not later; a newer Transformers where
the method is not known.

Bad:

```python
from transformers import BitsAndBytesConfig

config = BitsAndBytesConfig(load_in_4bit=True, load_in_8bit=True)
```

Good:

```python
from transformers import BitsAndBytesConfig

config = BitsAndBytesConfig(load_in_4bit=True)
```

Message (transformers 4 and 5; `one of the two`):

```text
ValueError: load_in_4bit and load_in_8bit are both True, but only one can be used at the same time
```

Message (transformers 4 and 5; `fp8`):

```text
ValueError: Unknown quantization type, got fp8 - supported types are: ['awq', 'bitsandbytes_4bit', 'bitsandbytes_8bit', 'gptq', 'aqlm', 'quanto', 'eetq', 'hqq', 'fbgemm_fp8']
```

Message (transformers 5; `FineGrainedFP8Config`):

```text
ValueError: The model is quantized with FineGrainedFP8Config but you are passing a BitsAndBytesConfig config. Please make sure to pass the same quantization config class to `from_pretrained` with different loading attributes.
```

Message (transformers 4 and 5; `torch.compile`):

```text
ValueError: You cannot fine-tune quantized model with `torch.compile()` make sure to pass a non-compiled model when fine-tuning a quantized model with PEFT
```

Message (transformers 4 and 5; `AWQ`):

```text
ValueError: The model you are trying to fine-tune is quantized with QuantizationMethod.AWQ but that quantization method do not support training. Please open an issue on GitHub: https://github.com/huggingface/transformers to request the support for training support for QuantizationMethod.AWQ
```

Message (TRL 1; `from_pretrained`):

```text
ValueError: You passed `quantization_config` to the trainer, but your model is already instantiated. Quantization can only be applied when the model is loaded from a model identifier (`str`).
```

Message (transformers 4 and 5; `bfloat16`):

```text
TypeError: bnb_4bit_compute_dtype must be torch.dtype
```

Message (bitsandbytes 0; `cuda()`):

```text
RuntimeError: Loading a quantized checkpoint into non-quantized Linear8bitLt is not supported. Please call module.cuda() before module.load_state_dict()
```

Message (transformers 4 and 5, GPTQ; `card`):

```text
RuntimeError: GPU is required to quantize or run quantize model.
```

Message (vLLM; `another packing`):

```text
ValueError: The quantization method fp8 is not supported for the current GPU. Minimum capability: 80. Current capability: 75.
```

Message (bitsandbytes 0; `bnb_4bit_compute_dtype`):

```text
UserWarning: Input type into Linear4bit is torch.float16, but bnb_4bit_compute_dtype=torch.float32 (default). This will lead to slow inference or training speed.
```

Message (transformers 4.55 to 4.57; `MXFP4`):

```text
MXFP4 quantization requires triton >= 3.4.0 and kernels installed, we will default to dequantizing the model to bf16
```

Message (transformers 5; `FP8`):

```text
FP8 quantized models is only supported on GPUs with compute capability >= 8.9 (e.g 4090/H100), actual = `8.6`. We will default to dequantizing the model to bf16. Feel free to use a different quantization method like bitsandbytes or torchao
```

Message (TRL 0 and 1; `one of the two`):

```text
ValueError: You can't use 8 bit and 4 bit precision at the same time
```

Message (transformers 4 and 5; `quant_method`):

```text
ValueError: The model's quantization config from the arguments has no `quant_method` attribute. Make sure that the model has been correctly quantized
```

Message (transformers 4 and 5; `GGUF`):

```text
ValueError: You cannot combine Quantization and loading a model from a GGUF file, try again by making sure you did not passed a `quantization_config` or that you did not load a quantized model from the Hub.
```

Message (transformers 4 and 5; `FP8`):

```text
ValueError: You are attempting to load an FP8 model with a device_map that contains a CPU or disk device. This is not supported. Please remove the CPU or disk device from the device_map.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import transformers")

CURES = {
    "load_in_4bit and load_in_8bit are both True": "4 bits and 8 bits are both asked for: one of the two",
    "is not supported for the current GPU. Minimum capability": "the card is older than this packing takes, see the two capabilities: another packing, or 16 bits",
    "You cannot fine-tune quantized model with `torch.compile()`": "a packed model is to be trained and was compiled: without torch.compile, and an adapter on it",
    "Quantization can only be applied when the model is loaded": "a model that is there is not packed any more: quantization_config for from_pretrained, or the name of the model for the trainer",
    "use 8 bit and 4 bit precision at the same time": "4 bits and 8 bits are both asked for: one of the two",
    "quantization config from the arguments has no `quant_method`": 'quantization_config says no method: an entry "quant_method" (gptq, awq, fp8 ...) in it, in config.json where it comes from there',
    "cannot combine Quantization and loading a model from a GGUF": "a GGUF file is packed already: without quantization_config",
    "but bnb_4bit_compute_dtype=torch.float32": "the model is in float16 and its packed layers compute in float32, which is slow: bnb_4bit_compute_dtype=torch.float16 in BitsAndBytesConfig",
    "bnb_4bit_compute_dtype must be": "the dtype to compute in is another thing: torch.bfloat16 or its name 'bfloat16'",
    "quantized checkpoint into non-quantized Linear8bitLt": "layers of 8 bits are packed when they come to the card: cuda() before load_state_dict()",
    "GPU is required to quantize or run quantize model": "the packed kernels want a card, and PyTorch sees none: a PyTorch built with CUDA, or the model without packing",
}

pitfall.answers(CURES, odds=0.95)


@pitfall.explains(
    r"Unknown quantization type, got (?P<kind>[\w.-]{1,40}) - supported types", odds=0.97
)
def not_known_here(failure: Failure) -> Hits:
    yield failure.hit(
        f"the file is packed as {failure.groups['kind']}, which this Transformers does not know: update it"
    )


@pitfall.explains(
    r"model is quantized with (?P<has>\w{1,60}) but you are passing a (?P<came>\w{1,60}) config",
    odds=0.97,
)
def packed_already(failure: Failure) -> Hits:
    has, came = failure.groups["has"], failure.groups["came"]
    yield failure.hit(
        f"the file is packed already, by {has}: leave {came} out, or take the model that is not packed"
    )


@pitfall.explains(
    r"is quantized with (?:QuantizationMethod\.)?(?P<how>\w{1,40}) but that quantization method do(?:es)? not support training",
    odds=0.97,
)
def not_to_be_trained(failure: Failure) -> Hits:
    yield failure.hit(
        f"weights that {failure.groups['how']} packs are not trained, nor an adapter on them: the model itself with load_in_4bit=True and an adapter"
    )


@pitfall.explains(
    r"(?P<packing>MXFP4|FP8) quanti[sz].{0,240}?[Ww]e will default to dequantizing", odds=0.97
)
def unpacked_here(failure: Failure) -> Hits:
    packing = failure.groups["packing"]
    times, want = (
        ("twice", "a card of 8.9") if packing == "FP8" else ("four times", "kernels, triton")
    )
    yield failure.hit(
        f"{packing} is not computed here, and the weights are unpacked to bfloat16, with some {times} the memory: {want}, as the line says, or a file of another packing"
    )


@pitfall.explains(
    r"attempting to (?:load|use) an? (?:(?P<packing>[\w-]{2,20}) )?model with a device_map that contains a (?:CPU|cpu|disk)",
    odds=0.96,
)
def parts_off_the_card(failure: Failure) -> Hits:
    packing = failure.groups["packing"] or "packed"
    yield failure.hit(
        f"{packing} weights compute on the card alone, and parts of the model are to lie elsewhere: no room for all of it where device_map is \"auto\", else device_map={{'': 0}}"
    )
