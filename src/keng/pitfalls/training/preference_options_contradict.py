r"""Training by rewards or preferences gets options that do not fit.

GRPO and RLOO draw several answers to each prompt and compare them, so that a batch over all processes holds whole groups of answers. DPO compares the model with a reference that
must stay as it was. A reward model gives one number to an answer.

Cure: `per_device_train_batch_size` times the processes times `gradient_accumulation_steps` a multiple of `num_generations`; no `ref_model` where the start is
the reference; `num_labels=1` for a reward model.

Bad:

```python
from trl import GRPOConfig

GRPOConfig("out", per_device_train_batch_size=4, num_generations=8, steps_per_generation=1)
```

Good:

```python
from trl import GRPOConfig

GRPOConfig("out", per_device_train_batch_size=8, num_generations=8, steps_per_generation=1)
```

Message (TRL 0; `8 answers`):

```text
ValueError: The global train batch size (2 x 1) must be evenly divisible by the number of generations per prompt (8). Given the current train batch size, the valid values for the number of generations are: [2].
```

Message (TRL 0; `8 answers`):

```text
ValueError: The effective train batch size (1 x 1 x 4) must be evenly divisible by the number of generations per prompt (8). Given the current effective train batch size, the valid values for the number of generations are: [2, 4].
```

Message (TRL 1; `8 answers`):

```text
ValueError: generation_batch_size (4) must be divisible by num_generations (8).
```

Message (TRL 1; `copy`):

```text
ValueError: `model` and `ref_model` cannot be the same object. In most cases you should omit `ref_model` and we'll initialize it to a copy of `model` for you.
```

Message (TRL 1; `num_labels=1`):

```text
ValueError: The model has `num_labels=2`, but reward models require `num_labels=1` to output a single scalar reward per sequence. Please instantiate your model with `num_labels=1` or pass a model name as string to have it configured automatically.
```

Message (TRL 0 and 1, KTO; `per_device_train_batch_size`):

```text
ValueError: Actual (not effective) batch size must be > 1. KTO will not work properly because the KL term will be equivalent to the implied reward.
```

Message (TRL 0; `ref_model=None`):

```text
ValueError: You passed both a ref_model and a peft_config. For training PEFT adapters with DPO there is no need to pass a reference model. Please pass `ref_model=None` in case you want to train PEFT adapters, or pass a ref_model with `force_use_ref_model=True` in DPOTrainer's init. if you want to use a different ref_model.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="TRL")

pitfall.answers(
    {
        "`model` and `ref_model` cannot be the same object": "the reference must stay as it was, and is the model itself: leave ref_model out, and the trainer makes a copy",
        "You passed both a ref_model and a peft_config": "without its adapter the model is its own reference: ref_model=None beside peft_config",
        "Actual (not effective) batch size must be > 1": "KTO compares an answer with others of its batch, and this holds one: per_device_train_batch_size of 2 or more",
        "reward models require `num_labels=1`": "a reward model gives one number to an answer, and this one has a head of several: from_pretrained(..., num_labels=1)",
    },
    odds=0.96,
)


@pitfall.explains(
    r"(?:global|effective) (?:train|eval) batch size \((?P<batch>[\w x*]{1,40})\) must be (?:evenly )?divisible by the number of generations per prompt \((?P<n>\d+)\)",
    r"generation_batch_size \((?P<batch>\d+)\) must be divisible by num_generations \((?P<n>\d+)\)",
    odds=0.97,
)
def groups_torn(failure: Failure) -> Hits:
    batch, n = failure.groups["batch"], failure.groups["n"]
    yield failure.hit(
        f"a batch of {batch} over all processes is to hold whole groups of {n} answers: a multiple of {n}, or another num_generations"
    )
