# in a module, of what an encoder gives
import torch
from torch import distributions as D
from torch import nn


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(8, 4)

    def forward(self, x):
        mean, scale = self.net(x).chunk(2, dim=1)
        return D.Normal(mean, scale.exp())


class Autoencoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder, self.decoder = Encoder(), nn.Linear(2, 8)

    def losses(self, x):
        q = self.encoder(x)
        prior = D.Normal(torch.zeros_like(q.loc), torch.ones_like(q.scale))
        fit = (self.decoder(q.sample()) - x).square().sum()  # check: too
        return fit, D.kl_divergence(q, prior).sum()


model = Autoencoder()
fit, divergence = model.losses(torch.randn(16, 8))

# proof
(gradient,) = torch.autograd.grad(fit, model.encoder.net.weight, allow_unused=True)
assert gradient is None
