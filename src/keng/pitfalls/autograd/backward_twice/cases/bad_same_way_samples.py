# the same, by way of the samples
import torch
from torch import nn


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 8), nn.Tanh())

    def forward(self, z):
        return self.model(z)


generator, discriminator = Generator(), nn.Sequential(nn.Linear(8, 1))
optimizer_g = torch.optim.Adam(generator.parameters())
optimizer_d = torch.optim.Adam(discriminator.parameters())
criterion = nn.BCEWithLogitsLoss()
for real in torch.randn(3, 16, 8):
    fake = generator(torch.randn(16, 4))
    optimizer_g.zero_grad()
    loss_g = criterion(discriminator(fake), torch.ones(16, 1))
    loss_g.backward()
    optimizer_g.step()
    optimizer_d.zero_grad()
    real_loss = criterion(discriminator(real), torch.ones(16, 1))
    fake_loss = criterion(discriminator(fake), torch.zeros(16, 1))
    loss_d = (real_loss + fake_loss) / 2
    loss_d.backward()  # check: `fake` has lost its graph; fake.detach() is meant
    optimizer_d.step()
