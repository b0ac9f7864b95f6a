# random features that are a plain attribute are drawn again by the constructor
import io

import torch
from torch import nn

torch.manual_seed(0)


class Fourier(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.waves = 2 * torch.randn(2, width)  # run: `self.waves` of `Fourier` is a plain tensor
        self.out = nn.Linear(2 * width, 1)

    def forward(self, x):
        angles = x @ self.waves
        return self.out(torch.cat([angles.sin(), angles.cos()], 1))


points = torch.rand(200, 2)
heights = (6 * points[:, :1]).sin() * points[:, 1:]
model = Fourier()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for step in range(60):
    optimizer.zero_grad()
    nn.functional.mse_loss(model(points), heights).backward()
    optimizer.step()
file = io.BytesIO()
torch.save(model.state_dict(), file)
file.seek(0)
again = Fourier()
again.load_state_dict(torch.load(file))
model.eval()
again.eval()
with torch.no_grad():
    before = nn.functional.mse_loss(model(points), heights)
    after = nn.functional.mse_loss(again(points), heights)
# proof
assert after > 2 * before
