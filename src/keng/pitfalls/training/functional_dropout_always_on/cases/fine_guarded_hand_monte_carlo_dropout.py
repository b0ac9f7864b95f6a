# guarded by an `if`; Monte Carlo dropout that is declared; off by default; the noise of a denoising autoencoder
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        if self.training:
            x = F.dropout(x, 0.5)
        return F.alpha_dropout(F.dropout(x, 0.1, training=True), 0.1)


def corrupted(x):
    return F.dropout(x, 0.3)


autoencoder = nn.Sequential(nn.Linear(8, 4), nn.ReLU(), nn.Linear(4, 8))
x = torch.randn(16, 8)
loss = F.mse_loss(autoencoder(corrupted(x)), x)
y = Net()(x)
