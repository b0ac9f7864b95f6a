r"""A run is resumed that has made all its epochs.

A checkpoint holds how far its run had come, and a trainer that resumes from it goes on from there to the number of epochs that it is given, which counts those that are done. Where
none is left there is nothing to do.

Cure: a larger number of epochs to go on; to train anew from these weights, load the weights alone, without the state of the run.

Bad:

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
        return torch.optim.SGD(self.parameters(), lr=0.1)


loader = torch.utils.data.DataLoader(torch.ones(4, 2))
trainer = pl.Trainer(max_epochs=2)
trainer.fit(Lit(), loader)
trainer.save_checkpoint("last.ckpt")
pl.Trainer(max_epochs=1).fit(Lit(), loader, ckpt_path="last.ckpt")
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
        return torch.optim.SGD(self.parameters(), lr=0.1)


loader = torch.utils.data.DataLoader(torch.ones(4, 2))
trainer = pl.Trainer(max_epochs=2)
trainer.fit(Lit(), loader)
trainer.save_checkpoint("last.ckpt")
pl.Trainer(max_epochs=4).fit(Lit(), loader, ckpt_path="last.ckpt")
```

Message (Lightning 1 and 2; `epoch 5`):

```text
MisconfigurationException: You restored a checkpoint with current_epoch=5, but you have set Trainer(max_epochs=3).
```

Message (YOLO 5 to 11; `100 epochs`):

```text
AssertionError: runs/train/weights/last.pt training to 100 epochs is finished, nothing to resume.
Start a new training without resuming, i.e. 'yolo train model=last.pt'
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import pytorch_lightning")


@pitfall.explains(
    r"restored a checkpoint with current_epoch=(?P<stands>\d+), but you have set Trainer\(max_epochs=(?P<ends>\d+)\)",
    odds=0.97,
)
def resumed_past_the_end(failure: Failure) -> Hits:
    stands, ends = failure.groups["stands"], failure.groups["ends"]
    yield failure.hit(
        f"the checkpoint stands at epoch {stands}, and the run ends at {ends}: a larger max_epochs counts those that are done"
    )


@pitfall.explains(r"training to (?P<ends>\d+) epochs is finished, nothing to resume", odds=0.97)
def nothing_left(failure: Failure) -> Hits:
    yield failure.hit(
        f"the file is of a run that has made its {failure.groups['ends']} epochs: train from it without resume=True"
    )
