r"""A trainer is given something without a method that it calls.

`Trainer.fit` of Lightning calls `training_step`, `configure_optimizers` and a loader, `validate` and `test` the step of their name;
what is misspelled, indented into another method or left in a plain module is not there. `self.trainer`, `self.log` and
`self.optimizers()` work inside a run of the trainer alone. A Trainer of Transformers needs `train_dataset` to train, `eval_dataset` to evaluate.

Cure: define the method that is named, in the module that is given to the trainer; return an optimizer from `configure_optimizers`; pass the
loader as `train_dataloaders=` or from `train_dataloader`.

Bad:

```python
import pytorch_lightning as pl
import torch


class Lit(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 1)

    def train_step(self, batch, index):
        return self.layer(batch).square().mean()


pl.Trainer(max_epochs=1).fit(Lit(), torch.utils.data.DataLoader(torch.ones(4, 2)))
```

Good:

```python
import pytorch_lightning as pl
import torch


class Lit(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 1)

    def training_step(self, batch, index):
        return self.layer(batch).square().mean()

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())


pl.Trainer(max_epochs=1).fit(Lit(), torch.utils.data.DataLoader(torch.ones(4, 2)))
```

Message (Lightning 1 to 2; `training_step()`):

```text
MisconfigurationException: No `training_step()` method defined. Lightning `Trainer` expects as minimum a `training_step()`, `train_dataloader()` and `configure_optimizers()` to be defined.
```

Message (Lightning 1 to 2; `validation_step()`):

```text
MisconfigurationException: No `validation_step()` method defined to run `Trainer.validate`.
```

Message (Lightning 2; `train_dataloader`):

```text
MisconfigurationException: `train_dataloader` must be implemented to be used with the Lightning Trainer
```

Message (Lightning 2; `train_dataloader()`):

```text
TypeError: An invalid dataloader was returned from `Net.train_dataloader()`. Found None.
```

Message (Lightning 2; `Trainer.fit(train_dataloaders=...)`):

```text
TypeError: An invalid dataloader was passed to `Trainer.fit(train_dataloaders=...)`. Found None.
```

Message (Lightning 2; `Net`):

```text
RuntimeError: Net is not attached to a `Trainer`.
```

Message (Lightning 1 to 2; `an optimizer`):

```text
MisconfigurationException: Unknown configuration for model optimizers. Output from `model.configure_optimizers()` should be one of:
```

Message (Lightning 2; `configure_optimizers`):

```text
MisconfigurationException: Some schedulers are attached with an optimizer that wasn't returned from `configure_optimizers`.
```

Message (transformers; `train_dataset`):

```text
ValueError: Trainer: training requires a train_dataset.
```

Message (transformers; `eval_dataset`):

```text
ValueError: Trainer: evaluation requires an eval_dataset.
```

Message (transformers 4 and 5; `eval_dataset`):

```text
ValueError: You have set `args.eval_strategy` to IntervalStrategy.STEPS but you didn't pass an `eval_dataset` to `Trainer`. Either set `args.eval_strategy` to `no` or pass an `eval_dataset`.
```

Message (transformers 4 and 5; `model_init`):

```text
RuntimeError: `Trainer` requires either a `model` or `model_init` argument
```

Message (Lightning 1.7 to 2; `fit`):

```text
AttributeError: Saving a checkpoint is only possible if a model is attached to the Trainer. Did you call `Trainer.save_checkpoint()` before calling `Trainer.{fit,validate,test,predict}`?
```

Message (Lightning 1.5 and 1.6; `fit`):

```text
Traceback (most recent call last):
  File "pretrain.py", line 85, in <module>
    trainer.save_checkpoint('plain.ckpt')
  File "/env/lib/python3.8/site-packages/pytorch_lightning/strategies/strategy.py", line 303, in lightning_module_state_dict
    return self.model.state_dict()
AttributeError: 'NoneType' object has no attribute 'state_dict'
```

Message (Lightning 1 and 2; `predict`):

```text
MisconfigurationException: You are trying to `self.log()` but the loop's result collection is not registered yet. This is most likely because you are trying to log in a `predict` hook, but it doesn't support logging
```

Message (Lightning 1 and 2; `predict`):

```text
MisconfigurationException: You can't `self.log()` inside `on_predict_epoch_end`. HINT: You can still log directly to the logger by using `self.logger.experiment`.
```

Message (Lightning 1 and 2; `val_loss`):

```text
MisconfigurationException: You called `self.log(val_loss, ...)` twice in `validation_step` with different arguments. This is not allowed
```

Message (Lightning 1 and 2; `scheduler`):

```text
MisconfigurationException: The lr scheduler dict must have the key "scheduler" with its item being an lr scheduler
```

Message (Lightning 2; `dataloader_idx=0`):

```text
RuntimeError: You provided multiple `val_dataloader`, but no `dataloader_idx` argument in `Lit.validation_step()`. Try adding `dataloader_idx=0` to its signature.
```

Message (Lightning 1 and 2; `one loader`):

```text
TypeError: Lit.validation_step() missing 1 required positional argument: 'dataloader_idx'
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import pytorch_lightning")


SAVED_EARLY = (
    "the trainer has seen no model yet: save_checkpoint after fit, validate, test or predict"
)
LOGGED_ELSEWHERE = "self.log gathers what steps and hooks of fit, validate and test tell, none of predict: self.logger.experiment"
CURES = {
    "missing 1 required positional argument: 'dataloader_idx'": "one loader is given, and the step wants to be told which: dataloader_idx=0 as its last argument",
    "but no `dataloader_idx` argument in": "several loaders are given, and the step is not told which: dataloader_idx=0 as its last argument",
    "Unknown configuration for model optimizers": "configure_optimizers returns something else than an optimizer, a list of "
    "them, or a dict of optimizer and lr_scheduler: an optimizer of torch.optim",
    "Some schedulers are attached with an optimizer that wasn't returned": "the scheduler was made for another optimizer "
    "than the one that configure_optimizers returns",
    "training requires a train_dataset": "Trainer(train_dataset=...) is None: give one to train",
    "but you didn't pass an `eval_dataset` to `Trainer`": "Trainer(eval_dataset=...) is None, and eval_strategy or evaluate() wants it",
    "requires either a `model` or `model_init` argument": "Trainer got no model: Trainer(model=...), or a model_init that makes one",
    "only possible if a model is attached to the Trainer": SAVED_EARLY,
    "but the loop's result collection is not registered yet": LOGGED_ELSEWHERE,
    "You can't `self.log()` inside": LOGGED_ELSEWHERE,
    'lr scheduler dict must have the key "scheduler"': "configure_optimizers gives a dict without the scheduler itself: "
    '{"scheduler": scheduler, "interval": "step"}',
    "evaluation requires an eval_dataset": "Trainer(eval_dataset=...) is None, and eval_strategy or evaluate() wants it",
}

pitfall.answers(CURES, odds=0.95)


@pitfall.explains(
    r"No [`'](?P<name>\w{2,60}\(\))[`'] method defined(?:\. Lightning| to run [`']Trainer)",
    r"`(?P<name>\w{2,60}_dataloader)` must be implemented to be used with the Lightning Trainer",
    odds=0.96,
)
def not_defined(failure: Failure) -> Hits:
    name = failure.groups["name"]
    given = ", or pass a loader to the trainer" if "_dataloader" in name else ""
    yield failure.hit(f"the module has no {name}: see its spelling and indentation{given}")


@pitfall.explains(
    r"An invalid dataloader was (?:passed to|returned from) `(?P<where>[\w.]+\([\w=.]*\))`\. Found (?P<came>\w+)",
    odds=0.96,
)
def no_loader(failure: Failure) -> Hits:
    where, came = failure.groups["where"], failure.groups["came"]
    yield failure.hit(
        f"{where} gives {came} where a DataLoader is taken: a return is missing, or the loader was not made"
    )


@pitfall.explains(r"(?:^|Error: )(?P<module>\w{2,80}) is not attached to a `Trainer`", odds=0.96)
def outside_of_a_run(failure: Failure) -> Hits:
    yield failure.hit(
        f"self.trainer of {failure.groups['module']} is asked for outside of fit, validate, test or predict: inside a step or hook alone"
    )


@pitfall.explains(r"'NoneType' object has no attribute 'state_dict'", odds=0.9)
def saved_before_it_was_seen(failure: Failure) -> Hits:
    if any(frame.function == "lightning_module_state_dict" for frame in failure.frames):
        yield failure.hit(SAVED_EARLY)


@pitfall.explains(
    r"You called `self\.log\((?P<name>[^,`]{1,80}), \.\.\.\)` twice in `(?P<where>\w{1,60})` with different",
    odds=0.96,
)
def logged_in_two_ways(failure: Failure) -> Hits:
    name, where = failure.groups["name"], failure.groups["where"]
    yield failure.hit(
        f"`{name}` is logged twice in {where}, with other settings the second time: two names, or the same settings"
    )
