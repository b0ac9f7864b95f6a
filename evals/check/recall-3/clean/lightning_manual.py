"""Lightning with manual optimization, an average of weights and logged lists that are cleared."""
import copy
from typing import Any

import lightning.pytorch as pl
import torch
import torch.nn.functional as F
from lightning.pytorch.callbacks import ModelCheckpoint
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class EMA(pl.Callback):
    def __init__(self, decay=0.999):
        self.decay = decay

    def on_fit_start(self, trainer, module):
        self.shadow = copy.deepcopy(module.generator).requires_grad_(False)

    @torch.no_grad()
    def on_train_batch_end(self, trainer, module, *args: Any):
        for s, p in zip(self.shadow.parameters(), module.generator.parameters()):
            s.lerp_(p, 1 - self.decay)


class AdversarialModule(pl.LightningModule):
    def __init__(self, latent=16, dim=8, lr=2e-4):
        super().__init__()
        self.save_hyperparameters()
        self.automatic_optimization = False
        self.generator = nn.Sequential(nn.Linear(latent, 64), nn.ReLU(), nn.Linear(64, dim))
        self.critic = nn.Sequential(nn.Linear(dim, 64), nn.LeakyReLU(0.2), nn.Linear(64, 1))
        self.scores = []

    def sample(self, n):
        return self.generator(torch.randn(n, self.hparams.latent, device=self.device))

    def training_step(self, batch, batch_idx):
        (real,) = batch
        g_opt, c_opt = self.optimizers()

        self.toggle_optimizer(c_opt)
        fake = self.sample(len(real)).detach()
        c_loss = F.softplus(-self.critic(real)).mean() + F.softplus(self.critic(fake)).mean()
        c_opt.zero_grad()
        self.manual_backward(c_loss)
        c_opt.step()
        self.untoggle_optimizer(c_opt)

        if batch_idx % 2 == 0:
            self.toggle_optimizer(g_opt)
            g_loss = F.softplus(-self.critic(self.sample(len(real)))).mean()
            g_opt.zero_grad()
            self.manual_backward(g_loss)
            g_opt.step()
            self.untoggle_optimizer(g_opt)
            self.log("g_loss", g_loss)
        self.log("c_loss", c_loss, prog_bar=True)

    def validation_step(self, batch, batch_idx):
        (real,) = batch
        score = self.critic(real).mean() - self.critic(self.sample(len(real))).mean()
        self.scores.append(score)

    def on_validation_epoch_end(self):
        self.log("gap", torch.stack(self.scores).mean())
        self.scores.clear()

    def configure_optimizers(self):
        lr = self.hparams.lr
        return torch.optim.Adam(self.generator.parameters(), lr), torch.optim.Adam(self.critic.parameters(), lr)


def main():
    loader = DataLoader(TensorDataset(torch.randn(512, 8)), 64, shuffle=True)
    trainer = pl.Trainer(max_epochs=3, callbacks=[EMA(), ModelCheckpoint(monitor="gap")], devices=2, strategy="ddp")
    trainer.fit(AdversarialModule(), loader, DataLoader(TensorDataset(torch.randn(128, 8)), 64))


if __name__ == "__main__":
    main()
