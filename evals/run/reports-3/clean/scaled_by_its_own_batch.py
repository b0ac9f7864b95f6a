"""Series are scaled by the extremes of their batch and not of the data, after arrigonialberto86/deepar issue 8."""

import torch
from digest import show
from torch import nn
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(16)


class Series(Dataset):
    def __init__(self, count):
        scale = torch.rand(count, 1) * 90 + 10
        self.values = scale * (1 + 0.2 * torch.randn(count, 21).cumsum(1)).abs()

    def __len__(self):
        return len(self.values)

    def __getitem__(self, i):
        return self.values[i]


data = Series(160)
low, high = data.values.min(), data.values.max()
loader = DataLoader(data, batch_size=8, shuffle=True)


class DeepAR(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(1, 24, batch_first=True)
        self.mu, self.sigma = nn.Linear(24, 1), nn.Linear(24, 1)

    def forward(self, x):
        h, _ = self.lstm(x)
        return self.mu(h), nn.functional.softplus(self.sigma(h)) + 1e-4


model = DeepAR()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for epoch in range(6):
    total = 0.0
    for batch in loader:
        scaled = ((batch - low) / (high - low)).unsqueeze(-1)
        mu, sigma = model(scaled[:, :-1])
        loss = nn.functional.gaussian_nll_loss(mu, scaled[:, 1:], sigma.square())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(epoch, total / len(loader))
show(model)
