r"""What a run reports to is not installed, not logged in, or not begun.

Weights & Biases asks for a key at the keyboard when it has none, and a job without a terminal cannot answer. `wandb.log` wants a run that `wandb.init` has begun in the same process, so that
ranks that did not begin one have none, nor has a process after `wandb.finish`. An `Accelerator` reports to those trackers that are installed, with a folder for those that write files, after `init_trackers`.

Cure: `wandb login` once, or `WANDB_API_KEY` in the job; `WANDB_MODE=offline`, or `report_to="none"` in a Trainer, to go without; `if rank == 0:` around `init` and `log` alike; `project_dir=` for TensorBoard.

Bad:

```python
from accelerate import Accelerator

accelerator = Accelerator(cpu=True, log_with="tensorboard")
```

Good:

```python
import tempfile

from accelerate import Accelerator

accelerator = Accelerator(cpu=True, log_with="tensorboard", project_dir=tempfile.mkdtemp())
```

Message (wandb 0.10 to 0.19; `WANDB_API_KEY`):

```text
wandb.errors.UsageError: api_key not configured (no-tty). call wandb.login(key=[your_api_key])
```

Message (wandb 0.10 to 0.19, its log alone; `WANDB_API_KEY`):

```text
wandb: ERROR api_key not configured (no-tty). call wandb.login(key=[your_api_key])
```

Message (wandb 0.10 to 0.19; `wandb.log`):

```text
wandb.errors.Error: You must call wandb.init() before wandb.log()
```

Message (accelerate; `tensorboard`):

```text
ValueError: Logging with `tensorboard` requires a `logging_dir` to be passed in.
```

Message (accelerate; `wandb`):

```text
UserWarning: `log_with=wandb` was passed but no supported trackers are currently installed.
```

Message (accelerate; `comet_ml`):

```text
ValueError: comet_ml is not an available tracker stored inside the `Accelerator`.
```
"""

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import accelerate, tensorboard")

pitfall.answers(
    {
        "api_key not configured (no-tty)": "wandb has no key and no terminal to ask for one: `wandb login` or WANDB_API_KEY before, WANDB_MODE=offline or report_to='none' without",
    },
    odds=0.97,
)


@pitfall.explains(
    r"You must call wandb\.init\(\) before (?P<what>wandb\.\w{2,30}|\w{2,30})", odds=0.96
)
def no_run_in_this_process(failure: Failure) -> Hits:
    what = failure.groups["what"]
    yield failure.hit(
        f"this process has no run for {what}, as on ranks other than 0, in a child, or after wandb.finish(): init before it, or on rank 0 alone"
    )


@pitfall.explains(
    r"Logging with `(?P<name>\w{2,30})` requires a `logging_dir` to be passed in", odds=0.97
)
def no_folder(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['name']} writes files, and the Accelerator is told no folder: Accelerator(..., project_dir=...)"
    )


@pitfall.explains(
    r"`log_with=(?P<name>[^`\n]{2,80})` was passed but no supported trackers are currently installed",
    odds=0.97,
)
def not_installed(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['name']} is not installed where this runs, and nothing is reported: pip install it with the same Python"
    )


@pitfall.explains(
    r"(?P<name>[\w.]{2,40}) is not an available tracker stored inside the `Accelerator`", odds=0.97
)
def other_trackers_alone(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(
        f"the Accelerator reports to other trackers than {name}: '{name}' in log_with, and the package installed"
    )
