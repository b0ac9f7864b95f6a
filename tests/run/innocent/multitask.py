"""One body and several heads taking turns, losses weighed by learned numbers, two backwards a step."""

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Noisy(Dataset):
    def __init__(self, size):
        self.size = size

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        x = torch.full((6,), index / self.size) + 0.1 * torch.from_numpy(np.random.randn(6)).float()
        return {"x": x, "value": x.sum(), "label": index % 3}


class Shared(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(6, 12), nn.GroupNorm(3, 12), nn.ELU())
        self.heads = nn.ModuleDict({"value": nn.Linear(12, 1), "label": nn.Linear(12, 3)})
        self.log_vars = nn.ParameterDict(
            {name: nn.Parameter(torch.zeros(())) for name in self.heads}
        )

    def forward(self, x):
        features = self.body(x)
        return {name: head(features) for name, head in self.heads.items()}


torch.manual_seed(0)
np.random.seed(0)
net = Shared()
slow = torch.optim.SGD(net.body.parameters(), lr=0.01, momentum=0.9, weight_decay=1e-4)
quick = torch.optim.Adam([*net.heads.parameters(), *net.log_vars.parameters()], lr=0.01)
loader = DataLoader(Noisy(48), batch_size=8, shuffle=True, num_workers=2, persistent_workers=True)
history = {"value": [], "label": []}
for epoch in range(2):
    for batch in loader:
        out = net(batch["x"])
        losses = {
            "value": nn.functional.mse_loss(out["value"].squeeze(1), batch["value"]),
            "label": nn.functional.cross_entropy(out["label"], batch["label"]),
        }
        net.zero_grad()
        for number, (name, loss) in enumerate(losses.items()):
            weight = net.log_vars[name]
            (loss * (-weight).exp() + weight).backward(retain_graph=number == 0)
            history[name].append(loss.detach())
        slow.step()
        quick.step()
means = {name: torch.stack(values).mean().item() for name, values in history.items()}
