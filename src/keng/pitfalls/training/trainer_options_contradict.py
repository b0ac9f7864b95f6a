r"""The options of a trainer contradict each other or the run.

To load the best checkpoint at the end, a Trainer of Transformers must save when it evaluates, by steps or by epochs, and the steps of one be a multiple of
the other's. Lightning cannot validate every 1000 batches of an epoch that has 300, nor start processes by `ddp` out of a notebook; in a
SLURM job its devices and nodes are those that were asked for. A stream has no length; what one library calls an option, or one
version of it, another does not know.

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

Message (transformers 4 and 5; `max_steps=n`):

```text
ValueError: The train_dataset does not implement __len__, max_steps has to be specified. The number of steps needs to be known in advance for the learning rate scheduler.
```

Message (transformers 4 and 5; `eval_strategy`):

```text
ValueError: lr_scheduler_type reduce_lr_on_plateau requires an eval strategy
```

Message (transformers 4 and 5; `above 0`):

```text
ValueError: evaluation strategy steps requires either non-zero --eval_steps or --logging_steps
```

Message (transformers 4 and 5; `whole`):

```text
ValueError: --eval_steps must be an integer if bigger than 1: 12.5
```

Message (Lightning 1 and 2; `share`):

```text
MisconfigurationException: When using an IterableDataset for `train_dataloader`, `Trainer(val_check_interval)` must be `1.0` or an int. An int k specifies checking validation every k training batches.
```

Message (Lightning 1 and 2; `ModelCheckpoint(monitor=...)`):

```text
ValueError: `.test(ckpt_path="best")` is set but `ModelCheckpoint` is not configured to save the best model.
```

Message (Lightning 1 and 2; `logger=True`):

```text
MisconfigurationException: Cannot use `LearningRateMonitor` callback with `Trainer` that has no logger.
```

Message (Lightning 1 and 2; `drop one`):

```text
MisconfigurationException: Trainer was configured with `enable_checkpointing=False` but found `ModelCheckpoint` in callbacks list.
```

Message (Lightning 1 and 2; `in one place`):

```text
MisconfigurationException: accelerator set through both strategy class and accelerator flag, choose one
```

Message (transformers 4 and 5; `fsdp2`):

```text
ValueError: fsdp2 is not a valid FSDPOption, please select one of ['full_shard', 'shard_grad_op', 'no_shard', 'hybrid_shard', 'hybrid_shard_zero2', 'offload', 'auto_wrap']
```

Message (Lightning 2; `ddp_fast`):

```text
ValueError: You selected an invalid strategy name: `strategy='ddp_fast'`. It must be either a string or an instance of `lightning.pytorch.strategies.Strategy`. Example choices: auto, ddp, ddp_spawn, deepspeed
```

Message (transformers 4 and 5; `Ampere`):

```text
ValueError: --tf32 requires Ampere or a newer GPU arch, cuda>=11 and torch>=1.7
```

Message (transformers 4 and 5; `max_steps`):

```text
ValueError: args.max_steps must be set to a positive value if dataloader does not have a length, was -1
```

Message (Lightning 1 and 2; `use_distributed_sampler=False`):

```text
TypeError: Lightning can't inject a (distributed) sampler into your batch sampler, because it doesn't subclass PyTorch's `BatchSampler`. To mitigate this, either follow the API of `BatchSampler` or set `Trainer(use_distributed_sampler=False)`.
```

Message (Lightning 1 and 2; `twice in the list`):

```text
MisconfigurationException: Device ID's (GPU) must be unique.
```

Message (Lightning 1 and 2; `datamodule`):

```text
MisconfigurationException: You cannot pass `train_dataloader` or `val_dataloaders` to `trainer.fit(datamodule=...)`
```

Message (Lightning 1 and 2; `self.lr`):

```text
AttributeError: When using the learning rate finder, either `model` or `model.hparams` should have one of these fields: ('lr', 'learning_rate'). If your model has a different name for the learning rate, set it with `.lr_find(attr_name=...)`.
```

Message (Lightning 1 and 2; `whole number`):

```text
MisconfigurationException: You requested to check 0.1 of the `val_dataloader` but 0.1 * 5 < 1. Please increase the `limit_val_batches` argument. Try at least `limit_val_batches=0.2`
```

Message (transformers 5; `metric_for_best_model`):

```text
ValueError: `args.metric_for_best_model` must be provided when using 'best' save_strategy or if `args.load_best_model_at_end` is set to `True`.
```

Message (transformers 4 and 5; `logging_steps`):

```text
ValueError: logging strategy steps requires non-zero --logging_steps
```

Message (transformers 4 and 5; `load_best_model_at_end=True`):

```text
Using EarlyStoppingCallback without load_best_model_at_end=True. Once training is finished, the best model will not be loaded automatically.
```

Message (transformers 4 and 5; `model_init`):

```text
RuntimeError: To use hyperparameter search, you need to pass your model through a model_init function.
```

Message (RecBole 0.2; `load_col`):

```text
ValueError: `training_neg_sample_num` should be 0 if inter_feat have label_field [label].
```

Message (Lightning 0.5 to 1.2; `DistributedDataParallel`):

```text
MisconfigurationException: Amp level O2 with DataParallel is not supported. See this note from NVIDIA for more info: https://github.com/NVIDIA/apex/issues/227. We recommend you switch to ddp if you want to use amp
```

Message (CorrNet and its kin for sign language; `one card`):

```text
ValueError: AMP equipped with DataParallel has to manually write autocast() for each forward function, you can choose to do this by yourself
```
"""

from keng.explain.advice.steps import REFUSED_ON_REPLICAS
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import transformers")

CURES = {
    "At most one of fp16 and bf16 can be True": "fp16 and bf16 are two ways of mixed precision: bf16 alone on cards since Ampere, fp16 alone before",
    "is not compatible with an interactive environment": "this strategy starts the script anew for each card, and a notebook is none: ddp_notebook, or a script",
    "to a positive value if dataloader does not have a length": "a streamed dataset has no length, so the run has no end: max_steps=n",
    "train_dataset does not implement __len__": "a streamed dataset has no length, so the run has no end: max_steps=n",
    "requires an eval strategy": "this schedule follows the evaluation, and there is none: eval_strategy of steps or epoch",
    "must be provided when using 'best' save_strategy": "the best is to be kept, and by what is not said: metric_for_best_model='eval_loss'",
    "requires non-zero --logging_steps": "logged every 0 steps: logging_steps above 0, or logging_strategy='no'",
    "Using EarlyStoppingCallback without load_best_model_at_end": "training stops early and ends with the last model, not the best: load_best_model_at_end=True",
    "need to pass your model through a model_init function": "each trial of a search begins with a model of its own: model_init with a function that makes one, and no model",
    "requires either non-zero --eval_steps": "evaluated or logged every 0 steps: eval_steps and logging_steps above 0",
    "_steps must be an integer if bigger than 1": "a number of steps above 1 is whole; below 1 it is a share of the run",
    "`1.0` or an int. An int ": "a stream has no length to take a share of: a whole number of batches, or 1.0",
    '(ckpt_path="best")` is set but `ModelCheckpoint` is not configured': "no best checkpoint was kept: a ModelCheckpoint(monitor=...) among the callbacks before fit, or a path",
    "callback with `Trainer` that has no logger": "a callback that logs and a trainer without a logger: logger=True, or without the callback",
    "=False` but found `": "a callback does what the trainer was told to leave out: drop one of the two",
    "set through both strategy class and": "one thing is said twice, to the trainer and inside the strategy or a plugin: in one place",
    "_batches` argument. Try at least `limit_": "the share of batches that is asked for is less than one batch: a larger share, or a whole number of batches",
    "Device ID's (GPU) must be unique": "one card stands twice in the list of devices: each number once, or devices=2 for any two",
    "dataloaders` to `trainer.fit(datamodule=...)`": "loaders and a datamodule are given, which has loaders itself: one of the two",
    "either `model` or `model.hparams` should have one of these fields": "lr_find sets an attribute of the module, and finds none: self.lr = lr in __init__, and configure_optimizers with self.lr",
    "--tf32 requires Ampere or a newer GPU": "TF32 is a format of cards since Ampere: leave tf32 out on others, and where PyTorch sees no card",
    "(distributed) sampler into your batch sampler": "Lightning puts a sampler of its own into every loader, and cannot into this batch sampler: use_distributed_sampler=False, and share the samples out by hand",
    "should be 0 if inter_feat have label_field": "RecBole's data have labels of their own, and negatives are to be sampled beside them: training_neg_sample_num 0 (train_neg_sample_args None), or load_col without the label",
}
pitfall.answers(CURES | REFUSED_ON_REPLICAS, odds=0.95)


@pitfall.explains(
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
    r"You set `(?P<set>\w+=\d+)` in Lightning, but the number of \w+(?: per node)? configured in SLURM `(?P<asked>--[\w-]+=\d+)`",
    odds=0.97,
)
def other_than_the_job(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['set']} in the trainer and {failure.groups['asked']} in the SLURM job: the same number in both"
    )


@pitfall.explains(
    r"(?P<came>[\w.-]{1,60}) is not a valid (?P<kind>[A-Z]\w{2,40}), please select one of \[(?P<known>[^\]]{1,400})\]",
    r"invalid (?P<kind>strategy|accelerator) name: `\w+='?(?P<came>[\w.-]{1,60})'?`.{0,160}?(?:choices|names are): (?P<known>[\w., ]{1,400})",
    odds=0.95,
)
def no_such_option(failure: Failure) -> Hits:
    came, kind, known = (failure.groups[key] for key in ("came", "kind", "known"))
    yield failure.hit(
        f"`{came}` is no {kind} of this version, which knows {known[:90]}: one of these, or update the library"
    )
