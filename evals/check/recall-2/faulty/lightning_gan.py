import lightning.pytorch as pl
import torch
from torch import nn
from torch.nn import functional as F


class GAN(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.automatic_optimization = False
        self.g, self.d = nn.Linear(8, 2), nn.Linear(2, 1)
        self.history = {}
        self.d_losses = []

    def training_step(self, batch, batch_idx):
        og, od = self.optimizers()
        x = batch[0]
        fake = self.g(torch.randn(len(x), 8, device=self.device))
        d_loss = F.softplus(self.d(fake.detach())).mean() + F.softplus(-self.d(x)).mean()
        self.manual_backward(d_loss)  # check: zero-grad-missing
        od.step()
        g_loss = F.softplus(-self.d(fake)).mean()
        self.manual_backward(g_loss)  # check: zero-grad-missing
        og.step()
        self.d_losses.append(d_loss)  # check: loss-keeps-graph
        self.log('g', g_loss)

    def configure_optimizers(self):
        return torch.optim.Adam(self.g.parameters()), torch.optim.Adam(self.d.parameters())


class Frozen(pl.LightningModule):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        for p in self.encoder.parameters():
            p.requires_gradient = False  # check: require-grad-typo
        self.head = nn.Linear(16, 2)

    def training_step(self, batch, batch_idx):
        x, y = batch
        probs = self.head(self.encoder(x)).softmax(dim=-1)
        return F.cross_entropy(probs, y)  # check: softmax-before-cross-entropy

    def configure_optimizers(self):
        return torch.optim.SGD(self.head.parameters(), lr=0.1)
