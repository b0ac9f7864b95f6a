r"""A model that was quantized or spread over devices as it was loaded is moved or trained as a whole.

`device_map="auto"` lays each layer where there is room, and 4-bit and 8-bit weights are packed as they are loaded.
Neither can be moved afterwards: `.to()` and `.cuda()` are refused, and a Trainer or an accelerator may not move the model
either. Packed weights take no gradients; what is trained is an adapter beside them.

Cure: leave out `.to(device)`, move the inputs to `model.device`; for a run of several processes
`device_map={"": local_rank}`; for training `prepare_model_for_kbit_training` and an adapter of PEFT; where a part was laid on
the CPU or the disk, a smaller model, a larger card, or `offload_folder`.

Bad:

```python
from transformers import AutoModelForCausalLM, BitsAndBytesConfig

config = BitsAndBytesConfig(load_in_8bit=True)
model = AutoModelForCausalLM.from_pretrained("gpt2", quantization_config=config).to("cuda")
```

Good:

```python
from transformers import AutoModelForCausalLM, BitsAndBytesConfig

config = BitsAndBytesConfig(load_in_8bit=True)
model = AutoModelForCausalLM.from_pretrained("gpt2", quantization_config=config)
```

Message (transformers 4.28 to 4.57; `.to()`):

```text
ValueError: `.to` is not supported for `4-bit` or `8-bit` bitsandbytes models. Please use the model as it is, since the model has already been set to the correct devices and casted to the correct `dtype`.
```

Message (transformers 4.40 beside a newer accelerate; `of another version than transformers`):

```text
  File "/env/lib/python3.10/site-packages/accelerate/big_modeling.py", line 502, in dispatch_model
    model.to(device)
  File "/env/lib/python3.10/site-packages/transformers/modeling_utils.py", line 2796, in to
    raise ValueError(
ValueError: `.to` is not supported for `4-bit` or `8-bit` bitsandbytes models. Please use the model as it is, since the model has already been set to the correct devices and casted to the correct `dtype`.
```

Message (transformers 4.28 to 4.57):

```text
ValueError: Calling `cuda()` is not supported for `4-bit` or `8-bit` quantized models. Please use the model as it is, since the model has already been set to the correct devices and casted to the correct `dtype`.
```

Message (accelerate):

```text
RuntimeError: You can't move a model that has some modules offloaded to cpu or disk.
```

Message (accelerate; `local_rank`):

```text
ValueError: You can't train a model that has been loaded in 8-bit precision on a different device than the one you're training on. Make sure you loaded the model on the correct device using for example `device_map={'':torch.cuda.current_device()}`
```

Message (accelerate; `python, not torchrun`):

```text
ValueError: You can't train a model that has been loaded with `device_map='auto'` in any distributed mode. Please rerun your script specifying `--num_processes=1` or by launching with `python {{myscript.py}}`.
```

Message (transformers; `adapter`):

```text
ValueError: You cannot perform fine-tuning on purely quantized models. Please attach trainable adapters on top of the quantized model to correctly perform fine-tuning.
```

Message (transformers; `llm_int8_enable_fp32_cpu_offload`):

```text
ValueError: Some modules are dispatched on the CPU or the disk. Make sure you have enough GPU RAM to fit the quantized model.
```

Message (transformers and accelerate; `no room`):

```text
ValueError: The current `device_map` had weights offloaded to the disk. Please provide an `offload_folder` for them.
```

Message (bitsandbytes 0.41 to 0.45; `offloading`):

```text
ValueError: Blockwise quantization only supports 16/32-bit floats, but got torch.uint8
```

Message (transformers 4.46; `leave out .to()`):

```text
ValueError: Calling `to()` is not supported for `4-bit` quantized models with the installed version of bitsandbytes. The current device is `cuda:0`.
```

Message (transformers 4.46; `leave out .half()`):

```text
ValueError: You cannot cast a bitsandbytes model in a new `dtype`. Make sure to load the model using `from_pretrained` using the desired `dtype` by passing the correct `torch_dtype` argument.
```

Message (transformers 4.27 to 4.36; `BitsAndBytesConfig`):

```text
ValueError: The model you want to train is loaded in 8-bit precision. if you want to fine-tune an 8-bit model, please make sure that you have installed `bitsandbytes>=0.37.0`.
```

Message (accelerate; `no room`):

```text
ValueError: We need an `offload_dir` to dispatch this model according to this `device_map`, the following submodules need to be offloaded: base_model.model.model.layers.20.
```

Message (transformers 4.46; `model.embed_tokens.weight`):

```text
ValueError: model.embed_tokens.weight doesn't have any device set.
```

Message (transformers 4.46; `layer 3`):

```text
RuntimeError: layer 3 has not been mapped to a device.
```

Message (accelerate; `no room`):

```text
ValueError: At least one of the model submodule will be offloaded to disk, please pass along an `offload_folder`.
```

Message (accelerate; `lm_head.weight`):

```text
ValueError: The device_map provided does not give any device for the following parameters: lm_head.weight
```

Message (transformers 4 and 5, a pipeline; `leave out`):

```text
ValueError: The model has been loaded with `accelerate` and therefore cannot be moved to a specific device. Please discard the `device` argument when creating your pipeline object.
```

Message (accelerate; `auto`):

```text
ValueError: If passing a string for `device_map`, please choose 'auto', 'balanced', 'balanced_low_0' or 'sequential'.
```

Message (transformers 4 and 5; `auto`):

```text
ValueError: When passing device_map as a string, the value needs to be a device name (e.g. cpu, cuda:0) or 'auto', 'balanced', 'balanced_low_0', 'sequential' but found gpu.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="bitsandbytes and a card")


@pitfall.explains(
    r"(?:\.to|\bto\(\)|cuda\(\)|\.(?:half|float)\(\))` is not supported for `?(?:4-bit|8-bit|HQQ|GPTQ|quantized)",
    r"You can't move a model that has some modules offloaded|model has been loaded with `accelerate` and therefore cannot be moved",
    odds=0.96,
)
def moved(failure: Failure) -> Hits:
    says = "the model lies where it was loaded to: leave out .to() and .cuda(), and move the inputs to model.device"
    if failure.passed_through("accelerate/big_modeling.py"):
        says = "accelerate itself moves a packed model, as it is of another version than transformers: pip install -U transformers accelerate bitsandbytes"
    yield failure.hit(says)


@pitfall.explains(r"You can't train a model that has been loaded (?:in|with) ", odds=0.95)
def trained_elsewhere(failure: Failure) -> Hits:
    yield failure.hit(
        'each process loads the model onto its own card: device_map={"": local_rank}; one process alone (python, not torchrun) may spread it'
    )


UNTOLD = "the packed weights are not marked as ones beside which an adapter may be trained: bitsandbytes before 0.37, AWQ, or packed by the model's own code; pack the plain model by BitsAndBytesConfig"
pitfall.answers({"model you want to train is loaded in 8-bit precision": UNTOLD}, odds=0.95)


@pitfall.explains(r"cannot perform fine-tuning on purely quantized models", odds=0.95)
def packed_weights_trained(failure: Failure) -> Hits:
    yield failure.hit(
        "packed weights take no gradients: train an adapter beside them (get_peft_model)"
    )


@pitfall.explains(
    r"Some modules are dispatched on the CPU or the disk",
    r"(?:had weights|submodule will be) offloaded to (?:the )?disk[.,] [Pp]lease (?:provide|pass along) an `offload_folder`",
    r"We need an `offload_(?:dir|folder)` to dispatch this model",
    odds=0.95,
)
def no_room(failure: Failure) -> Hits:
    yield failure.hit(
        "there is no room for the whole model on the card, and parts of it went to the CPU or the disk: a smaller one, "
        "fewer bits, other programs off the card, or offload_folder (llm_int8_enable_fp32_cpu_offload=True for 8 bits)"
    )


@pitfall.explains(
    r"Blockwise (?:4bit )?quantization only supports 16/32-bit floats, but got torch\.(?P<came>\w+)",
    odds=0.93,
)
def quantized_again(failure: Failure) -> Hits:
    yield failure.hit(
        f"weights that are quantized already ({failure.groups['came']}) come to the card again and are quantized anew: no "
        ".to() or .cuda(), and no offloading to the CPU"
    )


@pitfall.explains(r"cannot cast a (?P<kind>bitsandbytes|GPTQ) model in a new `dtype`", odds=0.96)
def cast(failure: Failure) -> Hits:
    yield failure.hit(
        f"the weights that {failure.groups['kind']} packs have no other dtype: leave out .half() and .to(dtype), give "
        "torch_dtype to from_pretrained"
    )


@pitfall.explains(
    r"(?:^|Error: )(?P<name>\w[\w.]{1,200}) doesn't have any device set",
    r"does not give any device for the following parameters: (?P<name>[\w.]{1,200})",
    r"(?:^|Error: )(?P<name>layer \d+) has not been mapped to a device",
    odds=0.95,
)
def left_out_of_the_map(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(
        f'the device_map has no device for `{name}`: add its module, or device_map="auto"'
    )


@pitfall.explains(
    r"(?:passing a string for `device_map`|device_map as a string), .{0,140}?'balanced_low_0'",
    odds=0.95,
)
def no_such_map(failure: Failure) -> Hits:
    yield failure.hit(
        'this device_map is no word that is known: "auto", "cuda:0" or a dict of modules and devices'
    )
