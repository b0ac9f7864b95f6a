"""Both networks are cleared at the top, and the generator goes first: the critic takes its loss too."""

import torch
from digest import show
from torch import nn


class MLP(nn.Sequential):
    def __init__(self, inside, outside, width=48):
        super().__init__(
            nn.Linear(inside, width),
            nn.LeakyReLU(0.2),
            nn.Linear(width, width),
            nn.LeakyReLU(0.2),
            nn.Linear(width, outside),
        )


class GAN:
    def __init__(self, latent=4, lr=1e-3):
        self.latent = latent
        self.generator, self.discriminator = MLP(latent, 2), MLP(2, 1)
        self.g_optimizer = torch.optim.Adam(self.generator.parameters(), lr, betas=(0.5, 0.9))
        self.d_optimizer = torch.optim.Adam(self.discriminator.parameters(), lr, betas=(0.5, 0.9))
        self.criterion = nn.BCEWithLogitsLoss()

    def sample(self, count):
        return self.generator(torch.randn(count, self.latent))

    def training_step(self, real):
        ones, zeros = torch.ones(len(real), 1), torch.zeros(len(real), 1)
        self.g_optimizer.zero_grad()
        self.d_optimizer.zero_grad()
        fake = self.sample(len(real))
        g_loss = self.criterion(self.discriminator(fake), ones)
        g_loss.backward()  # run: -
        self.g_optimizer.step()
        on_real = self.criterion(self.discriminator(real), ones)
        on_fake = self.criterion(self.discriminator(fake.detach()), zeros)
        d_loss = (on_real + on_fake) / 2
        d_loss.backward()  # run: -
        self.d_optimizer.step()  # run: -
        return g_loss.item(), d_loss.item()


def ring(count):
    corner = torch.randint(8, (count,)) * torch.pi / 4
    return torch.stack([corner.cos(), corner.sin()], 1) * 2 + 0.05 * torch.randn(count, 2)


torch.manual_seed(0)
gan = GAN()
for step in range(120):
    losses = gan.training_step(ring(64))
    if step % 30 == 0:
        print(step, "{:.3f} {:.3f}".format(*losses))
show(gan.generator, gan.discriminator)
