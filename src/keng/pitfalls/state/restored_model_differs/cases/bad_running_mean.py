# a mean that forward updates is no buffer, and is lost with the file
import tempfile
from pathlib import Path

import torch
from torch import nn

torch.manual_seed(0)


class Centred(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean = torch.zeros(5)  # run: `state_dict()` leaves it out
        self.out = nn.Linear(5, 1)

    def forward(self, x):
        if self.training:
            self.mean = 0.9 * self.mean + 0.1 * x.detach().mean(0)
        return self.out(x - self.mean)


def fit(model):
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for step in range(40):
        x = 10 + torch.randn(16, 5)
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), x.sum(1, keepdim=True) - 50).backward()
        optimizer.step()


with tempfile.TemporaryDirectory() as folder:
    path = Path(folder, "model.pt")
    model = Centred()
    fit(model)
    torch.save({"model": model.state_dict()}, path)
    loaded = Centred()
    loaded.load_state_dict(torch.load(path)["model"])
loaded.eval()
x = 10 + torch.randn(64, 5)
with torch.no_grad():
    error = (loaded(x) - x.sum(1, keepdim=True) + 50).abs().mean()
# proof
model.eval()
assert error > 2 * (model(x) - x.sum(1, keepdim=True) + 50).abs().mean()
