"""Windows are shuffled, and each batch begins with the hidden state of the one before it."""

import torch
from digest import show
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Forecaster(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.lstm = nn.LSTM(1, hidden, num_layers=1, batch_first=True)
        self.linear = nn.Linear(hidden, 1)

    def forward(self, x, state=None):
        out, state = self.lstm(x, state)
        return self.linear(out[:, -1]), state


torch.manual_seed(0)
t = torch.arange(700) * 0.1
series = torch.sin(t) + 0.4 * torch.sin(2.7 * t) + 0.05 * torch.randn(700)
windows = series.unfold(0, 21, 1)
dataset = TensorDataset(windows[:, :20, None], windows[:, 20:])
loader = DataLoader(dataset, batch_size=40, shuffle=True, drop_last=True)

model = Forecaster()
criterion = nn.MSELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
hidden = None
for epoch in range(6):
    losses = 0.0
    for x, y in loader:
        if hidden is not None:
            hidden = tuple(h.detach() for h in hidden)
        prediction, hidden = model(x, hidden)  # run: -
        loss = criterion(prediction, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses += loss.item()
    print(epoch, f"{losses / len(loader):.4f}")
show(model)
