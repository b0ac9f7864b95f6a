r"""The versions of transformers and accelerate do not fit each other.

The Trainer of transformers calls accelerate, and each version of it asks for arguments that only some versions of accelerate have: accelerate 1.0 took away `dispatch_batches`,
`even_batches` and `use_seedable_sampler` (in favour of `DataLoaderConfiguration`), which Trainers up to 4.38 still give; newer Trainers give arguments that older ones lack. A notebook that had imported the old
version goes on with it until the kernel is started anew.

Cure: both from the same time: `pip install -U transformers accelerate peft trl`, or for an old transformers `pip install "accelerate<1.0"`; then restart the kernel. Where a project pins one,
take the versions of its requirements for all.

Bad:

```python
from accelerate import Accelerator

accelerator = Accelerator(cpu=True, dispatch_batches=False)
```

Good:

```python
from accelerate import Accelerator
from accelerate.utils import DataLoaderConfiguration

batches = DataLoaderConfiguration(dispatch_batches=False)
accelerator = Accelerator(cpu=True, dataloader_config=batches)
```

Message (transformers 4.37 with accelerate 1.1; `accelerate<1.0`):

```text
TypeError: Accelerator.__init__() got an unexpected keyword argument 'dispatch_batches'
```

Message (the same under Python 3.9; `accelerate<1.0`):

```text
Traceback (most recent call last):
  File "/env/lib64/python3.9/site-packages/transformers/trainer.py", line 4127, in create_accelerator_and_postprocess
    self.accelerator = Accelerator(
TypeError: __init__() got an unexpected keyword argument 'dispatch_batches'
```

Message (transformers 4.48 with accelerate 0.34; `older`):

```text
TypeError: Accelerator.unwrap_model() got an unexpected keyword argument 'keep_torch_compile'
```

Message (programs of accelerate 0.16 and before; `project_dir`):

```text
TypeError: Accelerator.__init__() got an unexpected keyword argument 'logging_dir'
```

Message (transformers 4.29 to 5; `0.26.0`):

```text
ImportError: Using the `Trainer` with `PyTorch` requires `accelerate>=0.26.0`: Please run `pip install transformers[torch]` or `pip install 'accelerate>=0.26.0'`
```

Message (transformers 4; `restart`):

```text
ImportError: Using `low_cpu_mem_usage=True` or a `device_map` requires Accelerate: `pip install accelerate`
```

Message (accelerate 0.20 to 0.30; `anew`):

```text
AttributeError: 'AcceleratorState' object has no attribute 'distributed_type'
```

Message (accelerate 0.20 and later, Python 3.9 and before; `project_dir`):

```text
  File "train.py", line 31, in <module>
    accelerator = Accelerator(log_with="tensorboard", logging_dir="logs")
TypeError: __init__() got an unexpected keyword argument 'logging_dir'
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import accelerate")

TAKEN_AWAY = {"dispatch_batches", "even_batches", "use_seedable_sampler"}


@pitfall.explains(
    r"(?:Accelerator\.)?(?:__init__|unwrap_model)\(\) got an unexpected keyword argument '(?P<name>dispatch_batches|even_batches|"
    r"use_seedable_sampler|keep_torch_compile)'",
    r"Accelerator\.__init__\(\) got an unexpected keyword argument '(?P<name>\w{1,60})'",
    r"\b__init__\(\) got an unexpected keyword argument '(?P<name>logging_dir)'",
    odds=0.96,
)
def argument_of_another_version(failure: Failure) -> Hits:
    name = failure.groups["name"]
    if name == "logging_dir":
        if "Accelerator." in failure.message or failure.shows("ccelerat"):
            yield failure.hit("accelerate has no `logging_dir` any more: project_dir")
    elif name in TAKEN_AWAY:
        yield failure.hit(
            f"`{name}` left Accelerator with 1.0, and an older transformers gives it: a newer transformers, or accelerate<1.0"
        )
    else:
        yield failure.hit(
            f"the accelerate that is installed is older than what calls it, and has no `{name}`: pip install -U accelerate, then restart the kernel"
        )


@pitfall.explains(
    r"[Rr]equires `?[Aa]ccelerate(?:`?: `pip install|\s?>=\s?(?P<version>\d[\d.]{0,12}))", odds=0.96
)
def missing_or_too_old(failure: Failure) -> Hits:
    version = failure.groups["version"]
    wanted = f"accelerate {version} or newer" if version else "accelerate"
    yield failure.hit(
        f"{wanted} is wanted, and is missing, older, or was installed after the kernel began: pip install -U accelerate, then restart"
    )


pitfall.answers(
    {
        "'AcceleratorState' object has no attribute 'distributed_type'": "accelerate's state was cleared by a second Accelerator or TrainingArguments, or is an older version's than transformers': pip install -U both, and make them anew",
    },
    odds=0.9,
)
