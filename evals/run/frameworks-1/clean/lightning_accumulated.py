"""Accumulates two batches, clips by norm, steps its schedule by the step."""

import digest
import lightning.pytorch as pl
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

pl.seed_everything(0, verbose=False)
draw = torch.Generator().manual_seed(0)
x = torch.randn(256, 8, generator=draw)
y = (x[:, :3].sum(1) > 0).long() + (x[:, 3] > 0.5).long()
train = DataLoader(TensorDataset(x[:192], y[:192]), batch_size=32, shuffle=True, generator=draw)
held = DataLoader(TensorDataset(x[192:], y[192:]), batch_size=32)
QUIET = {"logger": False, "enable_checkpointing": False, "enable_progress_bar": False,
         "enable_model_summary": False, "accelerator": "cpu"}


class Classifier(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(8, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, 3))

    def training_step(self, batch, index):
        inputs, labels = batch
        loss = F.cross_entropy(self.net(inputs), labels)
        self.log("loss", loss)
        return loss

    def validation_step(self, batch, index):
        inputs, labels = batch
        scores = self.net(inputs)
        self.log("held", F.cross_entropy(scores, labels), prog_bar=True)

    def configure_optimizers(self):
        optimizer = torch.optim.SGD(self.parameters(), lr=0.1, momentum=0.9)
        schedule = torch.optim.lr_scheduler.OneCycleLR(
            optimizer, 0.1, total_steps=self.trainer.estimated_stepping_batches
        )
        return {"optimizer": optimizer, "lr_scheduler": {"scheduler": schedule, "interval": "step"}}



model = Classifier()
trainer = pl.Trainer(max_epochs=4, accumulate_grad_batches=2, gradient_clip_val=1.0, **QUIET)
trainer.fit(model, train, held)
digest.show(model)
