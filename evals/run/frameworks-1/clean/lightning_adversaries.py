"""A generator and a discriminator, stepped by hand."""

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


class Adversaries(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.automatic_optimization = False
        self.maker = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 8))
        self.judge = nn.Sequential(nn.Linear(8, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1))

    def training_step(self, batch, index):
        real = batch[0]
        makers, judges = self.optimizers()
        noise = torch.randn(len(real), 4)
        self.toggle_optimizer(judges)
        true = self.judge(real)
        false = self.judge(self.maker(noise).detach())
        loss = F.binary_cross_entropy_with_logits(true, torch.ones_like(true))
        loss = loss + F.binary_cross_entropy_with_logits(false, torch.zeros_like(false))
        judges.zero_grad()
        self.manual_backward(loss)
        judges.step()
        self.untoggle_optimizer(judges)
        self.toggle_optimizer(makers)
        scores = self.judge(self.maker(noise))
        loss = F.binary_cross_entropy_with_logits(scores, torch.ones_like(scores))
        makers.zero_grad()
        self.manual_backward(loss)
        makers.step()
        self.untoggle_optimizer(makers)

    def configure_optimizers(self):
        return [torch.optim.Adam(self.maker.parameters(), lr=1e-3, betas=(0.5, 0.999)),
                torch.optim.Adam(self.judge.parameters(), lr=1e-3, betas=(0.5, 0.999))]


model = Adversaries()
pl.Trainer(max_epochs=3, **QUIET).fit(model, train)
digest.show(model)
