"""A classifier of documents with warm-up, after shirley-wu/cross-doc-misinfo-detection issue 1."""

import torch
from digest import show
from torch import nn
from torch.optim.lr_scheduler import LambdaLR
from torch.utils.data import DataLoader, TensorDataset


def linear_schedule(optimizer, num_warmup_steps, num_training_steps):
    def factor(step):
        if step < num_warmup_steps:
            return step / max(1, num_warmup_steps)
        return max(0.0, (num_training_steps - step) / max(1, num_training_steps - num_warmup_steps))

    return LambdaLR(optimizer, factor)


torch.manual_seed(0)
ids = torch.randint(0, 200, (640, 30))
labels = (ids.float().mean(1) > 100).long()
loader = DataLoader(TensorDataset(ids, labels), batch_size=16, shuffle=True)
model = nn.Sequential(nn.EmbeddingBag(200, 32), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 2))
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
total = 4 * len(loader)
scheduler = linear_schedule(optimizer, total, 10)  # run: schedule-longer-than-run
for epoch in range(4):
    for x, y in loader:
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
    print(epoch, f"{loss.item():.4f} {optimizer.param_groups[0]['lr']:.2e}")
show(model)
