# a decoder that ends with a sigmoid, and gives other things as well
import torch
import torch.nn.functional as F
from torch import nn


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder, self.decoder = nn.Linear(16, 8), nn.Linear(4, 16)

    def forward(self, x):
        mu, logvar = self.encoder(x).chunk(2, dim=1)
        z = mu + torch.randn_like(mu) * (logvar / 2).exp()
        return torch.sigmoid(self.decoder(z)), mu, logvar


torch.manual_seed(0)
vae, x = VAE(), torch.rand(32, 16)
recon, mu, logvar = vae(x)
bce = F.binary_cross_entropy_with_logits(recon, x)  # check: a sigmoid went before
loss = bce - 0.5 * (1 + logvar - mu.square() - logvar.exp()).mean()
