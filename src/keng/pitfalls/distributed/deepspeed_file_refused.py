r"""DeepSpeed's file is not found, holds a value that it does not take, or contradicts the launcher.

The file is JSON, named by a path that is looked up from the folder in which the program runs; a path that leads nowhere is taken for the text of the file itself. Its values are checked when
they are read: sizes of buckets are whole numbers. The word "auto" is for the Trainer of Transformers and for accelerate, which put their own arguments in its place where they have
one. What accelerate's file says of precision and accumulation is refused beside a file of DeepSpeed.

Cure: a path from the root; whole numbers; the number itself in place of "auto" where nobody fills it in; precision, clipping and accumulation in one of the two files.

Bad:

```python
from accelerate.utils.deepspeed import HfDeepSpeedConfig

config = HfDeepSpeedConfig("confg/zero2.json")
```

Good:

```python
from accelerate.utils.deepspeed import HfDeepSpeedConfig

config = HfDeepSpeedConfig({"zero_optimization": {"stage": 2}})
```

Message (DeepSpeed; `zero3.json`):

```text
ValueError: Expected a string path to an existing deepspeed config, or a dictionary or a valid base64. Received: configs/zero3.json
```

Message (DeepSpeed with accelerate 0.30; `15099494.4`):

```text
pydantic_core._pydantic_core.ValidationError: 1 validation error for DeepSpeedZeroConfig
stage3_prefetch_bucket_size
  Input should be a valid integer, got a number with a fractional part [type=int_from_float, input_value=15099494.4, input_type=float]
```

Message (accelerate; `gradient_clipping`):

```text
ValueError: `gradient_clipping` not found in kwargs. Please specify `gradient_clipping` without `auto` (set to correct value) in the DeepSpeed config file or pass it in kwargs.
```

Message (accelerate; `bf16`):

```text
ValueError: `--mixed_precision` arg cannot be set to `fp16` when `bf16` is set in the DeepSpeed config file.
```

Message (accelerate; `all that could be`):

```text
ValueError: When using `deepspeed_config_file`, the following accelerate config variables will be ignored: ['gradient_accumulation_steps', 'gradient_clipping', 'zero_stage', 'offload_optimizer_device', 'offload_param_device', 'offload_param_nvme_path', 'offload_optimizer_nvme_path', 'zero3_save_16bit_model', 'mixed_precision'].
Please specify them appropriately in the DeepSpeed config file.
```

Message (DeepSpeed; `one of them`):

```text
AssertionError: Not sure how to proceed, we were given deepspeed configs in the deepspeed arguments and deepspeed.initialize() function call
```

Message (DeepSpeed; `config=`):

```text
AssertionError: DeepSpeed requires --deepspeed_config to specify configuration file
```

Message (DeepSpeed; `bf16 alone`):

```text
AssertionError: bfloat16 and fp16 modes cannot be simultaneously enabled
```

Message (DeepSpeed; `compute capability`):

```text
ValueError: Type fp16 is not supported on your device.
```

Message (DeepSpeed; `Ampere`):

```text
ValueError: Type bf16 is not supported on your device.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import accelerate")

pitfall.answers(
    {
        "the following accelerate config variables will be ignored": "accelerate's file names a file of DeepSpeed and says some of it itself; the list is of all that could be: "
        "leave those beside deepspeed_config_file out",
        "we were given deepspeed configs in the deepspeed arguments": "the file is given by --deepspeed_config and by config= as well: one of them",
        "DeepSpeed requires --deepspeed_config to specify": "deepspeed.initialize is told no configuration: config= with a path or a dictionary",
        "and fp16 modes cannot be simultaneously enabled": "the file enables fp16 and bf16: bf16 alone on cards since Ampere, fp16 alone before",
        "Type fp16 is not supported on your device": "DeepSpeed allows float16 on cards of compute capability 7.0 and more, and this one has less: fp16 off in the file",
        "Type bf16 is not supported on your device": "this card has no bfloat16, which came with Ampere: bf16 off and fp16 on in the file",
    },
    odds=0.96,
)


@pitfall.explains(
    r"Expected a string path to an existing deepspeed config, or a dictionary[^\n]{0,60}?Received: (?P<came>\S{1,300})",
    odds=0.97,
)
def no_such_file(failure: Failure) -> Hits:
    came = failure.groups["came"]
    says = f"`{came}` is no file, seen from the folder in which the program runs: its path from the root"
    if came.startswith("{"):
        says = "the text that is given for DeepSpeed's file is no JSON: a path or a dictionary"
    yield failure.hit(says)


@pitfall.explains(
    r"validation errors? for DeepSpeed\w{1,40}Config\s{1,9}(?P<name>\w{2,60})\s{1,9}Input should be (?:a valid )?(?P<kind>[^\[\n]{3,120}?)"
    r"(?:, (?:got|unable)[^\[\n]{1,80})? \[type=[\w.]{1,40}, input_value=(?P<came>[^,\]]{1,80})",
    odds=0.97,
)
def value_not_taken(failure: Failure) -> Hits:
    name, kind, came = (failure.groups[key] for key in ("name", "kind", "came"))
    says = f"`{name}` is {came} in DeepSpeed's file, where {kind} is wanted"
    if "fractional" in failure.message:
        says += ': the whole number in place of "auto", which older versions of accelerate and Transformers fill with such'
    yield failure.hit(says)


@pitfall.explains(
    r"`(?P<name>[\w.]{2,80})` not found in kwargs\. Please specify `[\w.]{2,80}` without `auto`",
    odds=0.97,
)
def nobody_fills_it(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(
        f'`{name}` is "auto" in DeepSpeed\'s file, and the program has told accelerate none: the number itself there'
    )


@pitfall.explains(
    r"`--mixed_precision` arg cannot be set to `(?P<asked>\w{2,8})` when `(?P<there>\w{2,14})` is set in the DeepSpeed",
    odds=0.97,
)
def two_precisions(failure: Failure) -> Hits:
    asked, there = failure.groups["asked"], failure.groups["there"]
    yield failure.hit(
        f"accelerate is told {asked} and DeepSpeed's file enables {there}: --mixed_precision {there}, or the other in the file"
    )
