# clearing one optimizer also clears the other's gradients
import torch
from torch import nn

model = nn.ModuleDict({"body": nn.Linear(4, 8), "head": nn.Linear(8, 1)})
head = model["head"]
whole = torch.optim.SGD(model.parameters(), lr=0.01)
part = torch.optim.SGD(head.parameters(), lr=0.01)
for step in range(4):
    whole.zero_grad()
    loss = model["head"](model["body"](torch.randn(8, 4))).square().mean()
    loss.backward()
    if step % 2:
        part.step()
    else:
        whole.step()
