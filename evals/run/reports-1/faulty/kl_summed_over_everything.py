"""A variational autoencoder of events in a sequence, after EDAPINENUT/GNTPP issue 4."""

import torch
from digest import show
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Decoder(nn.Module):
    def __init__(self, width=24, latent=6):
        super().__init__()
        self.rnn = nn.GRU(5, width, batch_first=True)
        self.moments = nn.Linear(width, 2 * latent)
        self.back = nn.Sequential(nn.Linear(latent + width, width), nn.ReLU(), nn.Linear(width, 5))

    def forward(self, events, mask):
        history = self.rnn(events)[0]
        mean, log_var = self.moments(history).chunk(2, -1)
        z = mean + torch.randn_like(mean) * (0.5 * log_var).exp()
        rebuilt = self.back(torch.cat([z, history], -1))
        error = (rebuilt - events).pow(2).sum(-1)
        kl = (-0.5 * torch.sum(1 + log_var - mean.pow(2) - log_var.exp())) * mask  # run: loss-part-summed
        return ((error + 0.1 * kl) * mask).sum() / mask.sum()


torch.manual_seed(0)
events = torch.randn(320, 12, 5).cumsum(1) * 0.3
lengths = torch.randint(4, 13, (320, 1))
mask = (torch.arange(12) < lengths).float()
loader = DataLoader(TensorDataset(events, mask), batch_size=16, shuffle=True)
model = Decoder()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(4):
    for batch, m in loader:
        loss = model(batch, m)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, f"{loss.item():.4f}")
show(model)
