# the head in a file of its own; the whole model; an encoder without its projection; an adapter in half precision; merged weights
# needs: nothing
import io

import torch
from torch import nn


class LowRank(nn.Module):
    def __init__(self, layer):
        super().__init__()
        self.layer = layer.requires_grad_(False)
        self.lora_a, self.lora_b = nn.Linear(layer.in_features, 2), nn.Linear(2, layer.out_features)

    def forward(self, x):
        return self.layer(x) + self.lora_b(self.lora_a(x))


def train(model):
    optimizer = torch.optim.Adam([p for p in model.parameters() if p.requires_grad])
    for step in range(6):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(torch.randn(8, 16)), torch.randint(3, (8,))).backward()
        optimizer.step()
    return optimizer


def save(state):
    torch.save(state, io.BytesIO())


torch.manual_seed(0)
model = nn.Sequential(LowRank(nn.Linear(16, 16)), nn.ReLU(), LowRank(nn.Linear(16, 16)), nn.ReLU(), nn.Linear(16, 3))
optimizer = train(model)
adapter = {name: p for name, p in model.state_dict().items() if "lora" in name}
save(adapter)
save(model[4].state_dict())
save({"model": model.state_dict(), "optimizer": optimizer.state_dict()})
model = nn.Sequential(nn.Linear(16, 16), nn.ReLU(), nn.Linear(16, 3))
train(model)
save(model[0].state_dict())
model = nn.Sequential(LowRank(nn.Linear(16, 16)), nn.ReLU(), nn.Linear(16, 3))
train(model)
save({name: p.half() for name, p in model.state_dict().items() if "lora" in name})
with torch.no_grad():
    merged = model[0].layer.weight + model[0].lora_b.weight @ model[0].lora_a.weight
save({"0.weight": merged, "2.weight": model[2].weight})
