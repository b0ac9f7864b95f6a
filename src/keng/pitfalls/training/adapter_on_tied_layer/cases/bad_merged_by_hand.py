# a low-rank matrix of the output layer is added to a weight that is the embedding as well
# needs: nothing
import torch
from torch import nn


class LowRank(nn.Module):
    def __init__(self, layer):
        super().__init__()
        self.layer = layer
        self.down, self.up = nn.Linear(8, 2, bias=False), nn.Linear(2, 12, bias=False)

    def forward(self, x):
        return self.layer(x) + self.up(self.down(x))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.inner = nn.Embedding(12, 8), nn.Linear(8, 8)
        head = nn.Linear(8, 12, bias=False)
        head.weight = self.embed.weight
        self.requires_grad_(False)
        self.head = LowRank(head)
        head.weight.requires_grad_(False)

    def forward(self, ids):
        return self.head(self.inner(self.embed(ids)).tanh())


torch.manual_seed(0)
model = Model()
optimizer = torch.optim.Adam([p for p in model.parameters() if p.requires_grad], lr=0.1)
ids = torch.randint(12, (6, 5))
for step in range(6):
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(ids)[:, :-1].transpose(1, 2), ids[:, 1:]).backward()
    optimizer.step()
before = model(ids)
with torch.no_grad():
    model.head.layer.weight += model.head.up.weight @ model.head.down.weight
model.head = model.head.layer
whole = nn.Sequential(model)
after = whole(ids)  # run: `embed` uses too
# proof
assert not torch.allclose(before, after, atol=1e-3)
