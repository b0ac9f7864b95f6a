# the divergence is detached where it is added, so the encoder's spread is trained by the reconstruction alone
import torch
from torch import nn

torch.manual_seed(0)
encoder, decoder = nn.Linear(8, 4), nn.Linear(2, 8)
optimizer = torch.optim.Adam([*encoder.parameters(), *decoder.parameters()], lr=1e-2)
x = torch.randn(32, 8)
for step in range(8):
    mean, log_var = encoder(x).chunk(2, dim=1)
    z = mean + torch.randn_like(mean) * (log_var / 2).exp()
    kl = -0.5 * (1 + log_var - mean.square() - log_var.exp()).sum(1).mean()
    loss = (decoder(z) - x).square().sum(1).mean() + 0.5 * kl.detach()  # run: a term of this loss is detached
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
# proof
alone = torch.autograd.grad((decoder(z) - x).square().sum(1).mean(), decoder.weight)[0]
assert not loss.isnan() and alone.abs().sum() > 0
