"""The body is frozen, and thawed after two epochs."""

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

from lightning.pytorch.callbacks import BaseFinetuning


class Thaws(BaseFinetuning):
    def freeze_before_training(self, module):
        self.freeze(module.body)

    def finetune_function(self, module, epoch, optimizer):
        if epoch == 2:
            self.unfreeze_and_add_param_group(module.body, optimizer, lr=1e-3)


class Tuned(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU())
        self.head = nn.Linear(32, 3)

    def training_step(self, batch, index):
        return F.cross_entropy(self.head(self.body(batch[0])), batch[1])

    def configure_optimizers(self):
        return torch.optim.Adam((p for p in self.parameters() if p.requires_grad), lr=1e-2)


model = Tuned()
pl.Trainer(max_epochs=4, callbacks=[Thaws()], **QUIET).fit(model, train)
digest.show(model)
