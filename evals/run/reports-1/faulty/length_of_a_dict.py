"""Pairs of pictures with and without flares, after ykdai/BracketFlare issue 4."""

import torch
from digest import show
from torch import nn
from torch.utils.data import DataLoader, Dataset


class PairLoader(Dataset):
    def __init__(self, size=60):
        g = torch.Generator().manual_seed(0)
        clean = torch.rand(size, 3, 12, 12, generator=g)
        masks = (torch.rand(size, 1, 12, 12, generator=g) > 0.8).float()
        self.paths = {"gt": list(clean), "lq": list((clean + 0.5 * masks).clamp(0, 1)), "mask": list(masks)}

    def __getitem__(self, index):
        return {"gt": self.paths["gt"][index], "lq": self.paths["lq"][index], "mask": self.paths["mask"][index]}

    def __len__(self):
        return len(self.paths)  # any: dataset-length


torch.manual_seed(0)
model = nn.Sequential(nn.Conv2d(3, 16, 3, padding=1), nn.ReLU(), nn.Conv2d(16, 3, 3, padding=1))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
loader = DataLoader(PairLoader(), batch_size=3, shuffle=True)
for epoch in range(8):
    for batch in loader:
        loss = nn.functional.l1_loss(model(batch["lq"]), batch["gt"])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, f"{loss.item():.4f}")
show(model)
