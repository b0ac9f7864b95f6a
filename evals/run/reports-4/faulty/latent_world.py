"""A recurrent world model of latent states in Lightning, after simchowitzlabpublic/nano-world-model pull 22."""

import logging
import warnings

import lightning as L
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
warnings.filterwarnings("ignore")
L.seed_everything(91, verbose=False)
LATENT, ACTIONS, LENGTH = 8, 2, 16


def episodes(count, glitches=True):
    transition = torch.linalg.qr(torch.randn(LATENT, LATENT, generator=torch.Generator().manual_seed(0)))[0] * 0.95
    effect = torch.randn(ACTIONS, LATENT, generator=torch.Generator().manual_seed(1)) * 0.4
    state, states = torch.randn(count, LATENT), []
    actions = torch.randn(count, LENGTH, ACTIONS)
    for t in range(LENGTH):
        states.append(state)
        state = torch.tanh(state @ transition + actions[:, t] @ effect)
    states = torch.stack(states, 1) + 0.02 * torch.randn(count, LENGTH, LATENT)
    if glitches:
        broken = torch.rand(count, LENGTH) < 0.001
        states = torch.where(broken[..., None], states * 500, states)
    return TensorDataset(states, actions)


class WorldModel(L.LightningModule):
    def __init__(self, hidden=48, lr=0.2, gradient_clip_norm=0.5):
        super().__init__()
        self.save_hyperparameters()
        self.encode = nn.Linear(LATENT + ACTIONS, hidden)
        self.rnn = nn.RNN(hidden, hidden, batch_first=True)
        self.decode = nn.Linear(hidden, LATENT)

    def forward(self, states, actions):
        return self.decode(self.rnn(self.encode(torch.cat([states, actions], -1)))[0])

    def training_step(self, batch, batch_idx):
        states, actions = batch
        loss = F.mse_loss(self(states, actions)[:, :-1], states[:, 1:])
        nn.utils.clip_grad_norm_(self.parameters(), self.hparams.gradient_clip_norm)  # run: clipped-too-late
        self.log("train_loss", loss)
        return loss

    def validation_step(self, batch, batch_idx):
        states, actions = batch
        loss = F.mse_loss(self(states, actions)[:, 4:-1], states[:, 5:])
        self.log("valid_loss", loss, batch_size=len(states))

    def on_validation_epoch_end(self):
        if self.current_epoch % 3 == 2:
            print(f"epoch {self.current_epoch} valid loss {self.trainer.callback_metrics['valid_loss'].item():.5f}")

    def configure_optimizers(self):
        optimizer = torch.optim.SGD(self.parameters(), lr=self.hparams.lr, momentum=0.9)
        scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=self.trainer.max_epochs)
        return {"optimizer": optimizer, "lr_scheduler": {"scheduler": scheduler, "interval": "epoch"}}


train_loader = DataLoader(episodes(640), batch_size=32, shuffle=True)
valid_loader = DataLoader(episodes(160, glitches=False), batch_size=160)
model = WorldModel()
trainer = L.Trainer(
    max_epochs=12,
    accelerator="cpu",
    logger=False,
    enable_checkpointing=False,
    enable_progress_bar=False,
    enable_model_summary=False,
    num_sanity_val_steps=0,
)
trainer.fit(model, train_loader, valid_loader)
print(f"valid loss {trainer.callback_metrics['valid_loss'].item():.6f}")
print(f"checksum {sum(p.double().sum() for p in model.parameters()).item():.6f}")
