r"""A trainer leaves out a part of the run, and says so in a warning alone.

Lightning goes on without what it was not given: a loader or a step of validation, an optimizer, a logger, the last checkpoint to resume from, a
callback whose state the checkpoint holds. What was to be watched, saved or resumed is then not, and the run looks well. A value of a step is written
each `log_every_n_steps` steps of the run, 50 unless said, and a value logged outside of a run nowhere.

Cure: `fit(model, train_loader, val_loader)` for a module with `validation_step`; `return optimizer`; `accelerator="gpu"`; `log_every_n_steps=1` for short
epochs; the same callbacks at resuming.

Bad:

```python
import warnings

import pytorch_lightning as pl
import torch
from torch.utils.data import DataLoader


class Lit(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 1)

    def training_step(self, batch, index):
        return self.layer(batch).square().mean()

    def validation_step(self, batch, index):
        self.log("val_loss", self.layer(batch).square().mean())

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())


warnings.filterwarnings("error", message=".*validation_step.*")
trainer = pl.Trainer(max_epochs=1, accelerator="cpu", logger=False, enable_checkpointing=False)
trainer.fit(Lit(), DataLoader(torch.ones(4, 2)))
```

Good:

```python
import warnings

import pytorch_lightning as pl
import torch
from torch.utils.data import DataLoader


class Lit(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 1)

    def training_step(self, batch, index):
        return self.layer(batch).square().mean()

    def validation_step(self, batch, index):
        self.log("val_loss", self.layer(batch).square().mean())

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())


warnings.filterwarnings("error", message=".*validation_step.*")
trainer = pl.Trainer(max_epochs=1, accelerator="cpu", logger=False, enable_checkpointing=False)
trainer.fit(Lit(), DataLoader(torch.ones(4, 2)), DataLoader(torch.ones(4, 2)))
```

Message (Lightning 1 and 2; `validation_step`):

```text
UserWarning: You passed in a `val_dataloader` but have no `validation_step`. Skipping val loop.
```

Message (Lightning 2; `accelerator`):

```text
PossibleUserWarning: GPU available but not used. You can set it by doing `Trainer(accelerator='gpu')`.
```

Message (Lightning 1.7; `accelerator`):

```text
PossibleUserWarning: GPU available but not used. Set `accelerator` and `devices` using `Trainer(accelerator='gpu', devices=1)`.
```

Message (Lightning 1 and 2; `5 batches`):

```text
PossibleUserWarning: The number of training batches (5) is smaller than the logging interval Trainer(log_every_n_steps=50). Set a lower value for log_every_n_steps if you want to see logs for the training epoch.
```

Message (Lightning 1 and 2; `return optimizer`):

```text
UserWarning: `LightningModule.configure_optimizers` returned `None`, this fit will run with no optimizer
```

Message (Lightning 2; `first run`):

```text
UserWarning: .fit(ckpt_path="last") is set, but there is no last checkpoint available. No checkpoint will be loaded. HINT: Set `ModelCheckpoint(..., save_last=True)`.
```

Message (Lightning 1 and 2; `EarlyStopping`):

```text
UserWarning: Be aware that when using `ckpt_path`, callbacks used to create the checkpoint need to be provided during `Trainer` instantiation. Please add the following callbacks: ["EarlyStopping{'monitor': 'val_loss', 'mode': 'min'}"].
```

Message (Lightning 1.8 to 2; `no Trainer`):

```text
UserWarning: You are trying to `self.log()` but the `self.trainer` reference is not registered on the model yet. This is most likely because the model hasn't been passed to the `Trainer`
```

Message (Lightning 2; `process`):

```text
PossibleUserWarning: It is recommended to use `self.log('val_loss', ..., sync_dist=True)` when logging on epoch level in distributed setting to accumulate the metric across devices.
```

Message (Lightning 1.6 to 2; `1000 epochs`):

```text
PossibleUserWarning: `max_epochs` was not set. Setting it to 1000 epochs. To train without an epoch limit, set `max_epochs=-1`.
```

Message (Lightning 2.6; `7 modules`):

```text
PossibleUserWarning: Found 7 module(s) in eval mode at the start of training. This may lead to unexpected behavior during training. If this is intentional, you can ignore this warning.
```

Message (Lightning 1 and 2; `train_loss`):

```text
UserWarning: You called `self.log('train_loss', ..., logger=True)` but have no logger configured. You can enable one by doing `Trainer(logger=ALogger(...))`
```

Message (Lightning 1 and 2; `learning rate`):

```text
RuntimeWarning: ReduceLROnPlateau conditioned on metric val_loss which is not available but strict is set to `False`. Skipping learning rate update.
```

Message (Lightning 1.9 to 2; `interval`):

```text
RuntimeWarning: A `OneCycleLR` scheduler is using 'interval': 'epoch'. Are you sure you didn't mean 'interval': 'step'?
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="warning", needs="import pytorch_lightning")

LEFT_OUT = {
    "but have no `val_dataloader`. Skipping": "nothing is validated: the module has validation_step, and no loader for it is given: fit(model, train_loader, val_loader)",
    "but have no `validation_step`. Skipping": "nothing is validated: a loader is given, and the module has no validation_step of that name",
    "GPU available but not used": 'the run goes on without the card that is there: accelerator="gpu", devices=1',
    "this fit will run with no optimizer": "nothing is learned by the trainer: configure_optimizers gives None, and return optimizer is missing at its end",
    '="last") is set, but there is no last checkpoint': "no last checkpoint was found, and none is loaded: right in a first run; ModelCheckpoint(save_last=True) and the same default_root_dir, or the path itself",
    "but the `self.trainer` reference is not registered": "the step is called with no Trainer around it, and self.log writes nothing: right where the module is tried out alone",
    "`max_epochs` was not set. Setting it to 1000": "no end is given, and the run is to go on for 1000 epochs: max_epochs=n, or EarlyStopping",
    "'interval': 'epoch'. Are you sure you": 'OneCycleLR is stepped once an epoch, and hardly moves where its total_steps count batches: {"scheduler": scheduler, "interval": "step"}',
}
pitfall.answers(LEFT_OUT, odds=0.9)


@pitfall.explains(
    r"number of training batches \((?P<batches>\d+)\) is smaller than the logging interval Trainer\(log_every_n_steps=(?P<every>\d+)\)",
    odds=0.9,
)
def written_seldom(failure: Failure) -> Hits:
    batches, every = failure.groups["batches"], failure.groups["every"]
    yield failure.hit(
        f"an epoch has {batches} batches, and values of steps are written each {every} steps of the run: log_every_n_steps={batches} or less; values with on_epoch=True are written anyway"
    )


@pitfall.explains(
    r"Found (?P<count>\d+) module\(s\) in eval mode at the start of training", odds=0.9
)
def left_in_eval_mode(failure: Failure) -> Hits:
    count = failure.groups["count"]
    yield failure.hit(
        f"{count} modules are in eval mode, as from_pretrained gives them, and Lightning leaves them so, without dropout and with fixed batch statistics: model.train() before fit, unless they are frozen"
    )


@pitfall.explains(
    r"It is recommended to use `self\.log\('(?P<name>[^'\n]{1,80})', \.\.\., sync_dist=True\)`",
    odds=0.9,
)
def of_one_process(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(
        f"`{name}` is the mean of one process's share of the data alone, and so are what is saved and stopped by it: self.log('{name}', ..., sync_dist=True)"
    )


@pitfall.explains(
    r"callbacks used to create the checkpoint need to be provided.{0,120}?following callbacks: \[(?P<names>[^\n]{1,300})\]",
    odds=0.9,
)
def callback_not_resumed(failure: Failure) -> Hits:
    yield failure.hit(
        f"the checkpoint holds the state of {failure.groups['names']}, and this trainer has none such: Trainer(callbacks=[...]) with the same settings, or a new beginning for them"
    )


@pitfall.explains(
    r"You called `self\.log\((?P<name>[^,`]{1,80}), \.\.\., logger=True\)` but have no logger",
    odds=0.9,
)
def written_nowhere(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['name']} is to be logged, and the trainer has logger=False: a logger, or without logger=True"
    )


@pitfall.explains(
    r"ReduceLROnPlateau conditioned on metric (?P<name>\S{1,80}) which is not available but strict is set to",
    odds=0.95,
)
def rate_not_followed(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['name']}` is not logged when the scheduler looks, so the learning rate stays: self.log under that name, and `frequency` as seldom as validation"
    )
