r"""What an Accelerator is to report to is not installed, not begun, or has no folder.

`log_with` names the trackers of a run. An `Accelerator` drops those whose package is missing, and says so only where none is left. Those that write files want a folder when the Accelerator is made, and each
begins with `init_trackers`.

Cure: `pip install` the package with the Python that runs; `project_dir=` for TensorBoard; `accelerator.init_trackers("name")` before the first `log`.

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

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import accelerate, tensorboard")


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
