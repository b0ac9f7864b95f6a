# the discriminator is shown what the generator's step has used up
import torch
from torch import nn

torch.manual_seed(0)
generator, discriminator = nn.Linear(4, 8), nn.Linear(8, 1)
optimizer_g = torch.optim.Adam(generator.parameters())
optimizer_d = torch.optim.Adam(discriminator.parameters())
criterion = nn.BCEWithLogitsLoss()
for real in torch.randn(3, 16, 8):
    fake = generator(torch.randn(16, 4).tanh()).tanh()
    made = discriminator(fake)
    optimizer_g.zero_grad()
    loss_g = criterion(made, torch.ones(16, 1))
    loss_g.backward()
    optimizer_g.step()
    optimizer_d.zero_grad()
    loss_d = criterion(discriminator(real), torch.ones(16, 1)) + criterion(made, torch.zeros(16, 1))
    loss_d.backward()  # check: `made` has lost its graph
    optimizer_d.step()
