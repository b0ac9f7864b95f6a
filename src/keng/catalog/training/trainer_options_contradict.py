r"""The options of a trainer contradict each other or the run.

To load the best checkpoint at the end, a Trainer of Transformers must save when it evaluates, by steps or by epochs, and the steps of one be a multiple of
the other's. Lightning cannot validate every 1000 batches of an epoch that has 300, nor start processes by `ddp` out of a notebook; in a
SLURM job its devices and nodes are those that were asked for.

Cure: `eval_strategy="epoch", save_strategy="epoch"`; `val_check_interval=1.0`, or `check_val_every_n_epoch=None` to count over epochs;
`strategy="ddp_notebook"`; `#SBATCH --ntasks-per-node` equal to `devices`.

Bad:

```python
from transformers import TrainingArguments

args = TrainingArguments("out", load_best_model_at_end=True, eval_strategy="no")
```

Good:

```python
from transformers import TrainingArguments

args = TrainingArguments(
    "out", load_best_model_at_end=True, eval_strategy="epoch", save_strategy="epoch"
)
```

Message (transformers; `no and steps`):

```text
ValueError: --load_best_model_at_end requires the save and eval strategy to match, but found
- Evaluation strategy: no
- Save strategy: steps
```

Message (transformers; `500`):

```text
ValueError: --load_best_model_at_end requires the saving steps to be a round multiple of the evaluation steps, but found 500, which is not a round multiple of 300.
```

Message (Lightning 1 to 2; `1000`):

```text
ValueError: `val_check_interval` (1000) must be less than or equal to the number of the training batches (300). If you want to disable validation set `limit_val_batches` to 0.0 instead.
```

Message (Lightning 2; `ddp_notebook`):

```text
MisconfigurationException: `Trainer(strategy='ddp')` is not compatible with an interactive environment. Run your code as a script, or choose a notebook-compatible strategy: `Trainer(strategy='ddp_notebook')`.
```

Message (Lightning 2; `--ntasks-per-node=1`):

```text
ValueError: You set `devices=4` in Lightning, but the number of tasks per node configured in SLURM `--ntasks-per-node=1` does not match. HINT: Set `devices=1`.
```

Message (transformers; `fp16 and bf16`):

```text
ValueError: At most one of fp16 and bf16 can be True, but not both
```
"""

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="Lightning or Transformers")


@pitfall.explains(
    r"--load_best_model_at_end requires the save and eval(?:uation)? strategy to match, but found\s(?:- )?Evaluation strategy: (?P<eval>[\w.]+)\s"
    r"(?:- )?Save strategy: (?P<save>[\w.]+)",
    r"--load_best_model_at_end requires the save and eval(?:uation)? strategy to match,.{0,45}? but found\s(?:- )?Evaluation strategy: "
    r"(?P<eval>[\w.]+)\s(?:- )?Save strategy: (?P<save>[\w.]+)",
    odds=0.97,
)
def saved_at_other_times(failure: Failure) -> Hits:
    names = [failure.groups[key].rpartition(".")[2].lower() for key in ("eval", "save")]
    yield failure.hit(
        f"evaluated and saved by {names[0]} and {names[1]}, the best has no file: eval_strategy and save_strategy alike"
    )


@pitfall.explains(
    r"saving steps to be a (?:round )?multiple of the evaluation steps, but found (?P<save>[\d.]+), which is not a (?:round )?multiple of "
    r"(?P<eval>[\d.]*\d)",
    odds=0.97,
)
def saved_between(failure: Failure) -> Hits:
    save, evaluated = failure.groups["save"], failure.groups["eval"]
    yield failure.hit(
        f"saved every {save} steps and evaluated every {evaluated}: save_steps a multiple of eval_steps"
    )


@pitfall.explains(
    r"`val_check_interval` \((?P<interval>\d+)\) must be less than or equal to the number of the training batches \((?P<batches>\d+)\)",
    odds=0.97,
)
def epoch_too_short(failure: Failure) -> Hits:
    interval, batches = failure.groups["interval"], failure.groups["batches"]
    yield failure.hit(
        f"an epoch has {batches} batches, and validation waits for {interval}: val_check_interval=1.0, or check_val_every_n_epoch=None"
    )


@pitfall.explains(
    r"strategy=[^)]{1,60}\)` is not compatible with an interactive environment", odds=0.97
)
def started_from_a_notebook(failure: Failure) -> Hits:
    yield failure.hit(
        "this strategy starts the script anew for each card, and a notebook is none: ddp_notebook, or a script"
    )


@pitfall.explains(
    r"You set `(?P<set>\w+=\d+)` in Lightning, but the number of \w+(?: per node)? configured in SLURM `(?P<asked>--[\w-]+=\d+)`",
    odds=0.97,
)
def other_than_the_job(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['set']} in the trainer and {failure.groups['asked']} in the SLURM job: the same number in both"
    )


@pitfall.explains(r"At most one of fp16 and bf16 can be True", odds=0.97)
def two_halves(failure: Failure) -> Hits:
    yield failure.hit(
        "fp16 and bf16 are two ways of mixed precision: bf16 alone on cards since Ampere, fp16 alone before"
    )
