# a program writes the low-rank matrices by their names, and leaves out the new head
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


torch.manual_seed(0)
model = nn.Sequential(LowRank(nn.Linear(16, 16)), nn.ReLU(), LowRank(nn.Linear(16, 16)), nn.ReLU(), nn.Linear(16, 3))
optimizer = torch.optim.Adam([p for p in model.parameters() if p.requires_grad])
for step in range(6):
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(torch.randn(8, 16)), torch.randint(3, (8,))).backward()
    optimizer.step()
file = io.BytesIO()
torch.save({name: p for name, p in model.state_dict().items() if "lora" in name}, file)  # run: `model.4.weight`
# proof
file.seek(0)
assert not any(name.startswith("4.") for name in torch.load(file))
