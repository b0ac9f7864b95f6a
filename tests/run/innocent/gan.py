"""A GAN: two optimizers, detach in the discriminator's step, samples in train mode under no_grad."""

import torch
from torch import nn

torch.manual_seed(0)
latent = 4
generator = nn.Sequential(nn.Linear(latent, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 8))
discriminator = nn.Sequential(
    nn.Linear(8, 16), nn.LeakyReLU(0.2), nn.Dropout(0.3), nn.Linear(16, 1)
)
optimizer_g = torch.optim.Adam(generator.parameters(), lr=2e-4, betas=(0.5, 0.999))
optimizer_d = torch.optim.Adam(discriminator.parameters(), lr=2e-4, betas=(0.5, 0.999))
criterion = nn.BCEWithLogitsLoss()
data = torch.utils.data.DataLoader(torch.randn(128, 8), batch_size=16, shuffle=True)
fixed_noise = torch.randn(16, latent)
history = {"d": [], "g": []}
for epoch in range(3):
    for real in data:
        ones, zeros = torch.ones(len(real), 1), torch.zeros(len(real), 1)
        discriminator.zero_grad()
        fake = generator(torch.randn(len(real), latent))
        loss_real = criterion(discriminator(real), ones)
        loss_real.backward()
        loss_fake = criterion(discriminator(fake.detach()), zeros)
        loss_fake.backward()
        optimizer_d.step()
        generator.zero_grad()
        loss_g = criterion(discriminator(fake), ones)
        loss_g.backward()
        optimizer_g.step()
        history["d"].append((loss_real + loss_fake).item())
        history["g"].append(loss_g.item())
        with torch.no_grad():
            samples = generator(fixed_noise)
