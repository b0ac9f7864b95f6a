"""A variational autoencoder with a data module, then predictions."""

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


class Points(pl.LightningDataModule):
    def train_dataloader(self):
        return DataLoader(x[:192], batch_size=32, shuffle=True, generator=draw)

    def val_dataloader(self):
        return DataLoader(x[192:], batch_size=32)

    predict_dataloader = val_dataloader


class Encoder(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.encode = nn.Sequential(nn.Linear(8, 32), nn.Tanh(), nn.Linear(32, 6))
        self.decode = nn.Sequential(nn.Linear(3, 32), nn.Tanh(), nn.Linear(32, 8))

    def parts(self, inputs):
        mean, spread = self.encode(inputs).chunk(2, dim=1)
        code = mean + torch.randn_like(mean) * (0.5 * spread).exp()
        divergence = -0.5 * (1 + spread - mean.square() - spread.exp()).sum(1).mean()
        return F.mse_loss(self.decode(code), inputs), divergence

    def training_step(self, batch, index):
        error, divergence = self.parts(batch)
        return error + 0.01 * divergence

    def validation_step(self, batch, index):
        self.log("held", self.parts(batch)[0])

    def predict_step(self, batch, index):
        return self.encode(batch)[:, :3]

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=1e-2)


model, points = Encoder(), Points()
trainer = pl.Trainer(max_epochs=3, **QUIET)
trainer.fit(model, points)
print(len(torch.cat(trainer.predict(model, points))))
digest.show(model)
