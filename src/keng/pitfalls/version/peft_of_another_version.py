r"""PEFT is of another time than the adapter or than what works with it.

Each PEFT adds options to its configurations, and an adapter that was saved by a newer one has them in `adapter_config.json`: since 0.14 or so an older PEFT leaves them out with a warning, before it broke off. PEFT in turn
takes packed layers of other packages from some version on, and Transformers and diffusers take PEFT from some version on.

Cure: `pip install -U peft`, with the transformers, diffusers or torchao that is named, then a new start of the kernel; where an option changes what the adapter computes (`use_dora`, `use_rslora`, `lora_bias`), no older PEFT will do.

Bad:

```python
from peft import PeftModel
from transformers import AutoModelForCausalLM

model = AutoModelForCausalLM.from_pretrained("gpt2")
model = PeftModel.from_pretrained(model, "out/adapter-of-next-year")
```

Good:

```python
from peft import PeftConfig

config = PeftConfig.from_peft_type(peft_type="LORA", r=8)
```

Message (PEFT; `corda_config`):

```text
UserWarning: Unexpected keyword arguments ['corda_config', 'trainable_token_indices'] for class LoraConfig, these are ignored. This probably means that you're loading a configuration file that was saved using a higher version of the library and additional parameters have been introduced since.
```

Message (PEFT 0.18 and later; `torchao from 0.16.0`):

```text
ImportError: Found an incompatible version of torchao. Found version 0.10.0, but only versions above 0.16.0 are supported
```

Message (PEFT 0.14 and before; `auto-gptq from 0.5.0`):

```text
ImportError: Found an incompatible version of auto-gptq. Found version `0.4.2`, but only versions above `0.5.0` are supported
```

Message (transformers 4; `0.5.0`):

```text
ValueError: The version of PEFT you are using is not compatible, please use a version that is greater than 0.5.0
```

Message (transformers 5; `0.18.0`):

```text
ValueError: The version of PEFT you are using is not compatible, please use a version >= 0.18.0
```

Message (diffusers; `too old`):

```text
ValueError: PEFT backend is required for this method.
```

Message (PEFT with another bitsandbytes; `compute_dtype`):

```text
AttributeError: 'Linear4bit' object has no attribute 'compute_dtype'
```

Message (an older PEFT with a newer bitsandbytes; `memory_efficient_backward`):

```text
AttributeError: 'Linear8bitLt' object has no attribute 'memory_efficient_backward'
```

Message (transformers with an older bitsandbytes; `quant_storage`):

```text
AttributeError: 'Params4bit' object has no attribute 'quant_storage'
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="an adapter of a newer PEFT")

pitfall.answers(
    {
        "PEFT backend is required for": "PEFT or Transformers is missing where diffusers runs, or too old for it: pip install -U peft transformers, then restart",
    },
    odds=0.96,
)


@pitfall.explains(
    r"Unexpected keyword arguments \[(?P<names>[^\]\n]{1,400})\] for class (?P<kind>\w{3,40}Config), these are ignored",
    odds=0.96,
)
def saved_by_a_newer(failure: Failure) -> Hits:
    names, kind = failure.groups["names"], failure.groups["kind"]
    yield failure.hit(
        f"the adapter was saved by a newer PEFT, and this one goes without {names} of {kind}: right where they were off there, else pip install -U peft"
    )


@pitfall.explains(
    r"incompatible version of (?P<name>[\w-]{2,30})\. Found version `?(?P<came>\d[\w.+]{0,30}?)`?, but only versions (?:above )?`?(?P<wants>\d[\d.]{0,12}\d)",
    odds=0.97,
)
def beside_an_older(failure: Failure) -> Hits:
    name, came, wants = (failure.groups[key] for key in ("name", "came", "wants"))
    yield failure.hit(
        f"PEFT takes {name} from {wants} on and finds {came}: pip install -U {name}, or pip uninstall it where the model has no layers of it"
    )


@pitfall.explains(
    r"version of PEFT you are using is not compatible, please use a version (?:that is (?:greater than|at least)|>=) (?P<wants>\d[\d.]{0,12}\d)",
    odds=0.97,
)
def older_than_asked(failure: Failure) -> Hits:
    yield failure.hit(
        f"the PEFT that is imported is older than {failure.groups['wants']}: pip install -U peft with the Python that runs this, then restart"
    )


@pitfall.explains(
    r"'(?P<kind>Linear4bit|Linear8bitLt|Params4bit)' object has no attribute '(?P<name>compute_dtype|quant_\w{2,20}|memory_efficient_backward|"
    r"compress_statistics|bnb_quantized|blocksize|module)'",
    odds=0.95,
)
def packed_otherwise(failure: Failure) -> Hits:
    kind, name = failure.groups["kind"], failure.groups["name"]
    yield failure.hit(
        f"`{name}` is not in a {kind} of the bitsandbytes that is installed: pip install -U bitsandbytes peft transformers, of one time, then restart"
    )
