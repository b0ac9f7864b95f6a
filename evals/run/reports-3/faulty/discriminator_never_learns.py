"""The loss of the discriminator is computed and never used, after a comment on huggingface/diffusers pull 10605."""

import torch
from digest import show
from torch import nn
from torch.nn import functional as F

torch.manual_seed(15)
images = torch.rand(128, 1, 8, 8)


class AutoencoderKL(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Flatten(), nn.Linear(64, 48), nn.SiLU(), nn.Linear(48, 16))
        self.decoder = nn.Sequential(nn.Linear(8, 48), nn.SiLU(), nn.Linear(48, 64))

    def forward(self, x):
        mean, logvar = self.encoder(x).chunk(2, 1)
        z = mean + torch.randn_like(mean) * (0.5 * logvar).exp()
        return self.decoder(z).view_as(x), mean, logvar


vae = AutoencoderKL()
discriminator = nn.Sequential(nn.Conv2d(1, 8, 3, 2), nn.LeakyReLU(0.2), nn.Flatten(), nn.Linear(72, 1))
optimizer = torch.optim.AdamW(vae.parameters(), lr=2e-3)
disc_optimizer = torch.optim.AdamW(discriminator.parameters(), lr=1e-3)
DISC_FACTOR = 1.0
for epoch in range(6):
    for i in torch.randperm(128).split(16):
        real = images[i]
        reconstruction, mean, logvar = vae(real)
        kl = 0.5 * (mean.square() + logvar.exp() - 1 - logvar).sum(1).mean()
        g_loss = -discriminator(reconstruction).mean()
        loss = F.mse_loss(reconstruction, real, reduction="sum") / len(real) + 1e-2 * kl + 0.1 * g_loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

        logits_real, logits_fake = discriminator(real), discriminator(reconstruction.detach())
        disc_loss = DISC_FACTOR * (F.relu(1 - logits_real) + F.relu(1 + logits_fake)).mean()  # run: step-not-taken or parameters-not-optimized
        disc_optimizer.zero_grad()
    print(epoch, loss.item(), disc_loss.item())
show(vae, discriminator)
