r"""Manual and automatic optimization are mixed.

Where a trainer optimizes by itself, it calls `backward`, clips, accumulates and steps. With `automatic_optimization = False` all
of that is the step's own work, and the options that ask the trainer for it are refused; several optimizers are taken since
Lightning 2 only in this way, and `optimizer_idx` is gone. `manual_backward` is for this mode alone.

Cure: with several optimizers `self.automatic_optimization = False` in `__init__`, `opt_a, opt_b = self.optimizers()`, then
`zero_grad`, `self.manual_backward(loss)`, `self.clip_gradients(...)` and `step` in `training_step`; with one leave it all to the trainer.

Bad:

```python
import pytorch_lightning as pl
import torch
from torch import nn
from torch.utils.data import DataLoader


class Gan(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.maker, self.judge = nn.Linear(4, 2), nn.Linear(2, 1)

    def losses(self, batch):
        made, real = self.maker(batch[0]), batch[1]
        judged = self.judge(made.detach()).mean() - self.judge(real).mean()
        return -self.judge(made).mean(), judged

    def training_step(self, batch, index, optimizer_idx):
        return self.losses(batch)[optimizer_idx]

    def configure_optimizers(self):
        models = self.maker, self.judge
        return [torch.optim.SGD(each.parameters(), lr=0.1) for each in models]


data = DataLoader([(torch.ones(4), torch.ones(2))] * 8, batch_size=4)
trainer = pl.Trainer(max_epochs=1, accelerator="cpu", logger=False, enable_checkpointing=False)
trainer.fit(Gan(), data)
```

Good:

```python
import pytorch_lightning as pl
import torch
from torch import nn
from torch.utils.data import DataLoader


class Gan(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.maker, self.judge = nn.Linear(4, 2), nn.Linear(2, 1)
        self.automatic_optimization = False

    def losses(self, batch):
        made, real = self.maker(batch[0]), batch[1]
        judged = self.judge(made.detach()).mean() - self.judge(real).mean()
        return -self.judge(made).mean(), judged

    def training_step(self, batch, index):
        for n, optimizer in enumerate(self.optimizers()):
            optimizer.zero_grad()
            self.manual_backward(self.losses(batch)[n])
            optimizer.step()

    def configure_optimizers(self):
        models = self.maker, self.judge
        return [torch.optim.SGD(each.parameters(), lr=0.1) for each in models]


data = DataLoader([(torch.ones(4), torch.ones(2))] * 8, batch_size=4)
trainer = pl.Trainer(max_epochs=1, accelerator="cpu", logger=False, enable_checkpointing=False)
trainer.fit(Gan(), data)
```

Message (Lightning 2; `optimizer_idx`):

```text
RuntimeError: Training with multiple optimizers is only supported with manual optimization. Remove the `optimizer_idx` argument from `training_step`, set `self.automatic_optimization = False` and access your optimizers in `training_step` with `opt1, opt2, ... = self.optimizers()`.
```

Message (Lightning 2; `optimizer_idx`):

```text
TypeError: training_step() missing 1 required positional argument: 'optimizer_idx'
```

Message (Lightning 1 to 2; `clip_gradients`):

```text
MisconfigurationException: Automatic gradient clipping is not supported for manual optimization. Remove `Trainer(gradient_clip_val=1.0)` or switch to automatic optimization.
```

Message (Lightning 1 to 2; `accumulate_grad_batches=4`):

```text
MisconfigurationException: Automatic gradient accumulation is not supported for manual optimization. Remove `Trainer(accumulate_grad_batches=4)` or switch to automatic optimization.
```

Message (Lightning 1 to 2; `manual_backward`):

```text
MisconfigurationException: to use manual_backward, please disable automatic optimization: set model property `automatic_optimization` as False
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import pytorch_lightning")


@pitfall.explains(
    r"Training with multiple optimizers is only supported with manual optimization",
    r"training_step\(\) missing 1 required positional argument: 'optimizer_idx'",
    odds=0.96,
)
def several_optimizers(failure: Failure) -> Hits:
    yield failure.hit(
        "since Lightning 2 the step serves several optimizers itself: self.automatic_optimization = False, no optimizer_idx, and "
        "self.optimizers() gives them"
    )


@pitfall.explains(
    r"Automatic gradient (?P<what>clipping|accumulation) is not supported for manual optimization\. Remove `Trainer\((?P<option>[\w=. ]{1,60})\)`",
    odds=0.96,
)
def asked_of_the_trainer(failure: Failure) -> Hits:
    own = "self.clip_gradients(optimizer, ...) before each step"
    if failure.groups["what"] == "accumulation":
        own = "step and zero_grad each n batches in training_step"
    yield failure.hit(
        f"{failure.groups['option']} is the trainer's, and the step optimizes by hand: drop it; {own}"
    )


@pitfall.explains(r"to use (?P<what>\w{1,40}), please disable automatic optimization", odds=0.96)
def by_hand_and_by_itself(failure: Failure) -> Hits:
    what = failure.groups["what"]
    yield failure.hit(
        f"{what} is for manual optimization, and the trainer goes backward by itself: return the loss, or "
        "self.automatic_optimization = False"
    )
