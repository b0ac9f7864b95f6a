r"""The value that a trainer watches is never reported under that name.

Early stopping, the choice of the best checkpoint and `ReduceLROnPlateau` look up one value by its name. It is there only where
the validation step logs it (`self.log("val_loss", loss)`), where validation runs at all, and under the very name: Transformers
puts `eval_` before what `compute_metrics` returns, and Lightning appends `_epoch` or `/dataloader_idx_0` where there are several.

Cure: log it in the validation step, once an epoch, and give the name that the message lists; `monitor` stands beside the
scheduler in what `configure_optimizers` returns.

Bad:

```python
import pytorch_lightning as pl
import torch
from pytorch_lightning.callbacks import EarlyStopping
from torch import nn
from torch.utils.data import DataLoader


class Lit(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(4, 2)

    def training_step(self, batch, index):
        x, y = batch
        loss = nn.functional.mse_loss(self.net(x), y)
        self.log("train_loss", loss)
        return loss

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


stop = EarlyStopping(monitor="val_loss")
data = DataLoader([(torch.ones(4), torch.ones(2))] * 8, batch_size=4)
trainer = pl.Trainer(max_epochs=1, accelerator="cpu", callbacks=[stop], logger=False)
trainer.fit(Lit(), data)
```

Good:

```python
import pytorch_lightning as pl
import torch
from pytorch_lightning.callbacks import EarlyStopping
from torch import nn
from torch.utils.data import DataLoader


class Lit(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(4, 2)

    def training_step(self, batch, index):
        x, y = batch
        loss = nn.functional.mse_loss(self.net(x), y)
        self.log("train_loss", loss)
        return loss

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


stop = EarlyStopping(monitor="train_loss")
data = DataLoader([(torch.ones(4), torch.ones(2))] * 8, batch_size=4)
trainer = pl.Trainer(max_epochs=1, accelerator="cpu", callbacks=[stop], logger=False)
trainer.fit(Lit(), data)
```

Message (Lightning 1 and 2, of another spelling; `one name for both`):

```text
RuntimeError: Early stopping conditioned on metric `val_loss` which is not available. Pass in or modify your `EarlyStopping` callback to use any of the following: `train/loss`, `val/loss`
```

Message (transformers 4.46 and later, of an adapter; `label_names`):

```text
KeyError: "The `metric_for_best_model` training argument is set to 'eval_loss', which is not found in the evaluation metrics. The available evaluation metrics are: ['eval_runtime', 'eval_samples_per_second', 'eval_steps_per_second', 'epoch']. Consider changing the `metric_for_best_model` via the TrainingArguments."
```

Message (Lightning 1 and 2, of a run without validation; `nothing of an evaluation`):

```text
RuntimeError: Early stopping conditioned on metric `val_loss` which is not available. Pass in or modify your `EarlyStopping` callback to use any of the following: `train_loss`, `train_acc`
```

Message (Lightning 1 to 2; `train_loss`):

```text
RuntimeError: Early stopping conditioned on metric `val_loss` which is not available. Pass in or modify your `EarlyStopping` callback to use any of the following: `train_loss`
```

Message (Lightning 1 to 2; `val_loss`):

```text
MisconfigurationException: `ModelCheckpoint(monitor='val_loss')` could not find the monitored key in the returned metrics: ['train_loss', 'epoch', 'step']. HINT: Did you call `log('val_loss', value)` in the `LightningModule`?
```

Message (Lightning 1 to 2; `val_loss`):

```text
MisconfigurationException: ReduceLROnPlateau conditioned on metric val_loss which is not available. Available metrics are: ['train_loss']. Condition can be set using `monitor` key in lr scheduler dict
```

Message (transformers 4.46; `eval_f1`):

```text
KeyError: "The `metric_for_best_model` training argument is set to 'eval_f1', which is not found in the evaluation metrics. The available evaluation metrics are: ['eval_loss', 'eval_runtime']. Please ensure that the `compute_metrics` function returns a dictionary that includes 'eval_f1' or consider changing the `metric_for_best_model` via the TrainingArguments."
```

Message (Lightning 1 to 2; `monitor`):

```text
MisconfigurationException: `configure_optimizers` must include a monitor when a `ReduceLROnPlateau` scheduler is used. For example: {"optimizer": optimizer, "lr_scheduler": scheduler, "monitor": "metric_to_track"}
```

Message (Lightning 1 to 2; `monitor`):

```text
MisconfigurationException: The lr scheduler dict must include a monitor when a `ReduceLROnPlateau` scheduler is used. For example: {"optimizer": optimizer, "lr_scheduler": {"scheduler": scheduler, "monitor": "your_loss"}}
```

Message (Lightning 1.0 to 1.4; `val_acc`):

```text
MisconfigurationException: ModelCheckpoint(monitor='val_acc') not found in the returned metrics: ['train_loss']. HINT: Did you call self.log('val_acc', tensor) in the LightningModule?
```

Message (transformers 4 and 5; `eval_loss`):

```text
AssertionError: EarlyStoppingCallback requires metric_for_best_model to be defined
```

Message (transformers 4 and 5; `eval_f1`):

```text
early stopping required metric_for_best_model, but did not find eval_f1 so early stopping is disabled
```
"""

from keng.explain.advice.steps import unseen
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import pytorch_lightning")


@pitfall.explains(
    r"Early stopping conditioned on metric `(?P<name>[^`]{1,80})` which is not available\..{0,100}?(?:following: (?P<there>.{1,200})|$)",
    r"ModelCheckpoint\(monitor='(?P<name>[^']{1,80})'\)`? (?:could not find the monitored key|not found) in the returned metrics: (?P<there>\[.{0,300}?\])",
    r"ReduceLROnPlateau conditioned on metric (?P<name>\S{1,80}) which is not available\. Available metrics are: (?P<there>\[.{0,300}?\])",
    r"early stopping required metric_for_best_model, but did not find (?P<name>[\w/.-]{1,80}) so",
    r"`metric_for_best_model` training argument is set to '(?P<name>[^']{1,80})', which is not found in the evaluation metrics\. "
    r"The available evaluation metrics are: (?P<there>\[.{0,300}?\])",
    odds=0.96,
)
def never_logged(failure: Failure) -> Hits:
    name, there = failure.groups["name"], failure.groups.get("there")
    known = f", and these are: {there}" if there else ""
    yield failure.hit(f"`{name}` is watched and never logged{known}; {unseen(name, there or '')}")


@pitfall.explains(r"must include a monitor when a `ReduceLROnPlateau` scheduler is used", odds=0.96)
def nothing_named(failure: Failure) -> Hits:
    yield failure.hit(
        "ReduceLROnPlateau follows a value, and none is named: `monitor` with a name that is logged, beside the scheduler"
    )


@pitfall.explains(r"EarlyStoppingCallback requires metric_for_best_model", odds=0.97)
def nothing_to_stop_by(failure: Failure) -> Hits:
    yield failure.hit(
        "early stopping needs a value to watch: metric_for_best_model='eval_loss' and load_best_model_at_end=True"
    )
