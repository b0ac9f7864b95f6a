import pytorch_lightning as pl
import torch
from torch import nn


class ResidualCoder(pl.LightningModule):
    def __init__(self, stages=3, dim=16):
        super().__init__()
        self.encoders = {}
        for i in range(stages):
            self.encoders[f'enc{i}'] = nn.Linear(dim, dim)  # check: module-not-registered
        self.decoder = nn.Linear(dim, dim)
        self.scale = torch.ones(dim, requires_grad=True)  # check: module-not-registered
        self.automatic_optimization = False

    def forward(self, x):
        for enc in self.encoders.values():
            x = x + torch.tanh(enc(x))
        return self.decoder(x) * self.scale

    def training_step(self, batch, _):
        opt = self.optimizers()
        x = batch[0]
        loss = ((self(x) - x) ** 2).mean()
        self.manual_backward(loss)
        opt.step()  # check: zero-grad-missing
        self.log('loss', loss)

    def validation_step(self, batch, _):
        self.log('val', ((self(batch[0]) - batch[0]) ** 2).mean())

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), 1e-3)


def export(ckpt):
    model = ResidualCoder.load_from_checkpoint(ckpt)
    torch.jit.trace(model, torch.zeros(1, 16)).save('coder.pt')  # check: api-deprecated (not planted)
