r"""A checkpoint of a trainer does not hold what is asked of it.

`load_from_checkpoint` of Lightning makes a new object: it is a method of the class, gives the object back, and calls `__init__` with the hyperparameters
that the file holds. Those are there after `self.save_hyperparameters()` alone, and without what was left out or cannot be pickled. A file of `save_weights_only=True`, or one
that was made by hand of the weights, resumes no optimizer. The best path is empty until a checkpoint has been written.

Cure: `model = Lit.load_from_checkpoint(path, hidden=64)` with what the file lacks; `self.save_hyperparameters(ignore=["model"])`; without `ckpt_path` where only
the weights are wanted; the path itself instead of "best".

Bad:

```python
import pytorch_lightning as pl
import torch


class Lit(pl.LightningModule):
    def __init__(self, width=2):
        super().__init__()
        self.layer = torch.nn.Linear(width, 1)


model = Lit()
torch.save({"state_dict": model.state_dict(), "pytorch-lightning_version": "2.0.0"}, "lit.ckpt")
model.load_from_checkpoint("lit.ckpt")
```

Good:

```python
import pytorch_lightning as pl
import torch


class Lit(pl.LightningModule):
    def __init__(self, width=2):
        super().__init__()
        self.layer = torch.nn.Linear(width, 1)


model = Lit()
torch.save({"state_dict": model.state_dict(), "pytorch-lightning_version": "2.0.0"}, "lit.ckpt")
model = Lit.load_from_checkpoint("lit.ckpt")
```

Message (Lightning 2; `hidden`):

```text
Traceback (most recent call last):
  File "/home/u/predict.py", line 12, in <module>
    model = Lit.load_from_checkpoint("last.ckpt")
  File "/env/lib/python3.11/site-packages/pytorch_lightning/utilities/model_helpers.py", line 125, in wrapper
    return self.method(cls, *args, **kwargs)
  File "/env/lib/python3.11/site-packages/pytorch_lightning/core/module.py", line 1581, in load_from_checkpoint
    loaded = _load_from_checkpoint(
  File "/env/lib/python3.11/site-packages/pytorch_lightning/core/saving.py", line 91, in _load_from_checkpoint
    model = _load_state(cls, checkpoint, strict=strict, **kwargs)
  File "/env/lib/python3.11/site-packages/pytorch_lightning/core/saving.py", line 165, in _load_state
    obj = cls(**_cls_kwargs)
TypeError: Lit.__init__() missing 1 required positional argument: 'hidden'
```

Message (Lightning 1 and 2; `save_weights_only`):

```text
KeyError: 'Trying to restore optimizer state but checkpoint contains only the model. This is probably due to `ModelCheckpoint.save_weights_only` being set to `True`.'
```

Message (Lightning 1 and 2; `fast_dev_run`):

```text
ValueError: You cannot execute `.test(ckpt_path="best")` with `fast_dev_run=True`. Please pass an exact checkpoint path to `.test(ckpt_path=...)`
```

Message (Lightning 1 and 2; `empty`):

```text
ValueError: `.test()` found no path for the best weights: ''. Please specify a path for a checkpoint `.test(ckpt_path=PATH)`
```

Message (Lightning 2.6; `best.ckpt`):

```text
Traceback (most recent call last):
  File "/home/u/train.py", line 40, in <module>
    trainer.fit(model, loader, ckpt_path="best.ckpt")
  File "/env/lib/python3.11/site-packages/lightning/fabric/plugins/io/torch_io.py", line 89, in load_checkpoint
    raise FileNotFoundError(f"Checkpoint file not found: {path}")
FileNotFoundError: Checkpoint file not found: best.ckpt
```

Message (Lightning 1.2 to 2; `best.ckpt`):

```text
FileNotFoundError: Checkpoint at best.ckpt not found. Aborting training.
```

Message (Lightning 1 and 2; `tokenizer`):

```text
UserWarning: Attribute 'tokenizer' removed from hparams because it cannot be pickled. You can suppress this warning by setting `self.save_hyperparameters(ignore=['tokenizer'])`.
```

Message (Lightning 1.6 to 2; `twice`):

```text
UserWarning: Attribute 'model' is an instance of `nn.Module` and is already saved during checkpointing. It is recommended to ignore them using `self.save_hyperparameters(ignore=['model'])`.
```

Message (Lightning 2; `2.5.0`):

```text
PossibleUserWarning: The loaded checkpoint was produced with Lightning v2.5.0, which is newer than your current Lightning version: v2.1.0
```

Message (Lightning 1 and 2; `head.weight`):

```text
UserWarning: Found keys that are in the model state dict but not in the checkpoint: ['head.weight', 'head.bias']
```

Message (Lightning 1 and 2; `left aside`):

```text
UserWarning: Found keys that are not in the model state dict but in the checkpoint: ['teacher.weight']
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import pytorch_lightning")

WEIGHTS_ALONE = "the file holds weights and no state to resume from: save_weights_only=False at saving; to begin anew from the weights, load them and fit without ckpt_path"
CURES = {
    "checkpoint contains only the model. This is probably due": WEIGHTS_ALONE,
    '(ckpt_path="best")` with `fast_dev_run=True`': "fast_dev_run writes no checkpoint, so that there is no best one: fit without it, or a path",
    "found no path for the best weights": "no checkpoint has been written, so that the path of the best one is empty: fit before it in the same program, or a path",
}
pitfall.answers(CURES, odds=0.95)


@pitfall.explains(
    r"The classmethod `(?P<kind>\w{1,80})\.(?P<name>load_from_checkpoint)` cannot be called on an instance",
    odds=0.97,
)
def called_on_the_object(failure: Failure) -> Hits:
    kind, name = failure.groups["kind"], failure.groups["name"]
    yield failure.hit(
        f"{name} makes a new object and leaves the one it is called on as it was: model = {kind}.{name}(path)"
    )


@pitfall.explains(
    r"(?P<kind>\w{1,80})\.__init__\(\) missing \d{1,2} required (?:positional|keyword-only) arguments?: (?P<names>'\w+'.{0,200})",
    r"__init__\(\) missing \d{1,2} required (?:positional|keyword-only) arguments?: (?P<names>'\w+'.{0,200})",
    odds=0.97,
)
def hyperparameters_not_there(failure: Failure) -> Hits:
    if failure.passed_through("lightning/core/saving.py", "lightning/pytorch/core/saving.py"):
        names = failure.groups["names"]
        yield failure.hit(
            f"the checkpoint holds no {names} for __init__: load_from_checkpoint(path, NAME=...), and self.save_hyperparameters() in __init__ before saving"
        )


@pitfall.explains(
    r"Checkpoint file not found: (?P<path>\S{1,300})",
    r"Checkpoint at (?P<path>\S{1,300}) not found\. Aborting",
    odds=0.95,
)
def not_at_that_path(failure: Failure) -> Hits:
    if "Aborting" in failure.message or failure.passed_through("plugins/io/torch_io.py"):
        yield failure.hit(
            f"`{failure.groups['path']}` is not there, seen from the directory in which the program runs: an absolute path, or checkpoint_callback.best_model_path"
        )


@pitfall.explains(
    r"Attribute '(?P<name>\w{1,80})' (?P<what>removed from hparams because it cannot be pickled|is an instance of `nn\.Module` and is already saved)",
    odds=0.9,
)
def no_hyperparameter(failure: Failure) -> Hits:
    name = failure.groups["name"]
    says = f"`{name}` would be saved twice, among the weights and whole among the hyperparameters"
    if "pickled" in failure.groups["what"]:
        says = f"`{name}` is not kept among the hyperparameters"
    yield failure.hit(
        f"{says}: save_hyperparameters(ignore=['{name}']), and load_from_checkpoint(path, {name}=...)"
    )


@pitfall.explains(
    r"checkpoint was produced with Lightning v(?P<theirs>[\w.+]{1,30}), which is newer than your current Lightning version: v(?P<ours>[\w.+]{1,30}[\w])",
    odds=0.9,
)
def of_a_newer_version(failure: Failure) -> Hits:
    theirs, ours = failure.groups["theirs"], failure.groups["ours"]
    yield failure.hit(
        f"the file is Lightning {theirs}'s, and {ours} reads it without adapting it: right for weights as a rule; pip install 'lightning>={theirs}' to resume"
    )


@pitfall.explains(
    r"Found keys that are (?P<where>in the model state dict but not in the checkpoint|not in the model state dict but in the checkpoint): "
    r"\[(?P<names>[^\]\n]{1,200})",
    odds=0.9,
)
def loaded_in_part(failure: Failure) -> Hits:
    names = failure.groups["names"]
    says = f"strict=False: {names} are not in the file and stay as they were made"
    if failure.groups["where"].startswith("not"):
        says = f"strict=False: {names} are in the file and left aside, as the model has none such"
    yield failure.hit(says)
