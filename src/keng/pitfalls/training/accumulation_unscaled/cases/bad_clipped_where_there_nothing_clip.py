# clipped, where there is nothing to clip
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step, x in enumerate(torch.randn(16, 8, 4)):
    F.mse_loss(model(x), x.sum(1, keepdim=True)).backward()  # run: four losses are added up
    if step % 4 == 3:
        nn.utils.clip_grad_norm_(model.parameters(), 100.0)
        optimizer.step()
        optimizer.zero_grad()
