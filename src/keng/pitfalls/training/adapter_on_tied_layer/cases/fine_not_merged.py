# an adapter on a tied layer that is not merged; one that is merged into a layer of its own; a frozen tied model
# needs: nothing
import torch
from torch import nn


class LowRank(nn.Module):
    def __init__(self, layer):
        super().__init__()
        self.layer = layer.requires_grad_(False)
        self.down, self.up = nn.Linear(8, 2, bias=False), nn.Linear(2, layer.out_features, bias=False)

    def forward(self, x):
        return self.layer(x) + self.up(self.down(x))

    def merged(self):
        with torch.no_grad():
            self.layer.weight += self.up.weight @ self.down.weight
        return self.layer


class Model(nn.Module):
    def __init__(self, adapted):
        super().__init__()
        self.embed, self.inner = nn.Embedding(12, 8), nn.Linear(8, 8)
        self.head = nn.Linear(8, 12, bias=False)
        self.head.weight = self.embed.weight
        self.requires_grad_(False)
        setattr(self, adapted, LowRank(getattr(self, adapted)))

    def forward(self, ids):
        return self.head(self.inner(self.embed(ids)).tanh())


torch.manual_seed(0)
ids = torch.randint(12, (6, 5))
for adapted in ("head", "inner"):
    model = Model(adapted)
    optimizer = torch.optim.Adam([p for p in model.parameters() if p.requires_grad])
    for step in range(6):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(ids)[:, :-1].transpose(1, 2), ids[:, 1:]).backward()
        optimizer.step()
    if adapted == "inner":
        model.inner = model.inner.merged()
    nn.Sequential(model)(ids)
