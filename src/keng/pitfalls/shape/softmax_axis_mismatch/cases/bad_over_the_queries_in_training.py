# the dimension comes from a setting, so that only the run shows it
import json

import torch
from torch import nn

SETTINGS = json.loads('{"over": 2}')


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads, self.inside, self.drop = heads, nn.Linear(width, 3 * width), nn.Dropout(0.1)
        self.softmax = nn.Softmax(dim=SETTINGS["over"])

    def forward(self, x):
        batch, tokens, width = x.shape
        parts = self.inside(x).view(batch, tokens, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        query, key, value = parts
        weights = self.softmax(query @ key.transpose(-2, -1) / 2)  # run: over dimension 2
        return (self.drop(weights) @ value).transpose(1, 2).reshape(batch, tokens, width)


torch.manual_seed(0)
model = nn.Sequential(Attention(8, 2), nn.Linear(8, 3))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for step in range(5):
    loss = model(torch.randn(4, 5, 8)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
# proof
weights = model[0].softmax(torch.randn(4, 2, 5, 5))
assert not torch.allclose(weights.sum(-1), torch.ones(4, 2, 5))
