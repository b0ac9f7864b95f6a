r"""The three batch numbers of DeepSpeed contradict each other.

`train_batch_size` is `train_micro_batch_size_per_gpu` times `gradient_accumulation_steps` times the number of processes, and
DeepSpeed checks it. Written by hand they fit one number of cards only. A world size of 1 in the message, where several
cards were meant, says that the processes do not know of each other: started by plain `python`, or made before the
process group. Trainers write the numbers from their own arguments, and refuse a file that says otherwise.

Cure: leave `train_batch_size` out, or write "auto" for all three where a trainer fills them in; start with `deepspeed`,
`torchrun` or `accelerate launch`.

Bad:

```python
import deepspeed
import torch

config = {
    "train_batch_size": 256,
    "train_micro_batch_size_per_gpu": 4,
    "gradient_accumulation_steps": 8,
}
model = torch.nn.Linear(4, 2)
deepspeed.initialize(model=model, model_parameters=model.parameters(), config=config)
```

Good:

```python
import torch

config = {"train_micro_batch_size_per_gpu": 4, "gradient_accumulation_steps": 8}
model = torch.nn.Linear(4, 2)
```

Message (DeepSpeed; `256 is not 4 x 8 x 1`):

```text
AssertionError: Check batch related parameters. train_batch_size is not equal to micro_batch_per_gpu * gradient_acc_step * world_size 256 != 4 * 8 * 1
```

Message (DeepSpeed; `256 is not 2 x 18 x 7`):

```text
AssertionError: Check batch related parameters. train_batch_size is not equal to micro_batch_per_gpu * gradient_acc_step * world_size 256 != 2 * 18 * 7
```

Message (transformers 4; `auto`):

```text
ValueError: Please correct the following DeepSpeed config values that mismatch TrainingArguments values:
- ds train_micro_batch_size_per_gpu=32 vs hf per_device_train_batch_size=8
The easiest method is to set these DeepSpeed config values to 'auto'.
```

Message (accelerate; `train_micro_batch_size_per_gpu`):

```text
ValueError: When using DeepSpeed, `accelerate.prepare()` requires you to pass at least one of training or evaluation dataloaders with `batch_size` attribute returning an integer value or alternatively set an integer value in `train_micro_batch_size_per_gpu` in the deepspeed config file or assign integer value to `AcceleratorState().deepspeed_plugin.deepspeed_config['train_micro_batch_size_per_gpu']`.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="DeepSpeed")


@pitfall.explains(
    r"gradient_acc_step \* world_size ?(?P<whole>\d+) != (?P<micro>\d+) \* (?P<steps>\d+) \* (?P<world>\d+)",
    odds=0.97,
)
def product_differs(failure: Failure) -> Hits:
    whole, micro, steps, world = (
        failure.groups[key] for key in ("whole", "micro", "steps", "world")
    )
    says = f"{whole} is not {micro} x {steps} x {world} (batch of a card, accumulation, processes)"
    cure = "leave train_batch_size out"
    if world == "1":
        cure += "; where several cards were meant, one process is started: deepspeed, torchrun or accelerate launch"
    yield failure.hit(f"{says}: {cure}")


@pitfall.explains(r"DeepSpeed config values that mismatch", odds=0.97)
def other_than_the_trainers(failure: Failure) -> Hits:
    yield failure.hit(
        'the DeepSpeed file and the arguments of the trainer name other numbers: write "auto" in the file'
    )


pitfall.answers(
    {
        "requires you to pass at least one of training or evaluation dataloaders": "DeepSpeed wants the batch of a card, which accelerate reads from a loader in prepare(), and finds none: the loader along, or train_micro_batch_size_per_gpu in the file",
    },
    odds=0.96,
)
