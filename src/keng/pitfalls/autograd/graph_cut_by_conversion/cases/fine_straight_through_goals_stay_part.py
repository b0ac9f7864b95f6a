# straight-through; targets that must not change; a parameter that no optimizer has
import torch
from torch import nn


class Coder(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.encoder, self.decoder = nn.Linear(4, 4), nn.Linear(4, 2), nn.Linear(2, 4)

    def forward(self, x):
        seen = self.body(x)
        code = self.encoder(seen.detach() + 0 * seen.detach().sign())
        near = code.round()
        drawn = (near.detach() - code).square().mean() + (near - code.detach()).square().mean()
        kept = code.detach() * code.detach().sign()
        return self.decoder(code + (near - code).detach()) + 0 * kept.sum(), drawn


torch.manual_seed(0)
model = Coder()
optimizer = torch.optim.SGD([*model.encoder.parameters(), *model.decoder.parameters()], lr=0.1)
for step in range(3):
    x = torch.randn(8, 4)
    optimizer.zero_grad()
    again, drawn = model(x)
    ((again - x).square().mean() + drawn).backward()
    optimizer.step()
