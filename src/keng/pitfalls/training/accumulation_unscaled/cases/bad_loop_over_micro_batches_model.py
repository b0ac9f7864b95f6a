# a loop over micro-batches, and a model that gives its loss
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(4, 1)

    def forward(self, x, y=None):
        output = self.head(x)
        if y is None:
            return output, None
        return output, F.mse_loss(output, y)


model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
accumulation_steps = 4
for step in range(2):
    for micro in range(accumulation_steps):
        with torch.autocast("cpu", enabled=False):
            _, loss = model(torch.ones(2, 4), torch.full((2, 1), 100.0))
        loss.backward()  # check: four losses are added up
    if step == 0:
        first = model.head.weight.grad.abs().mean()
    optimizer.step()
    optimizer.zero_grad()

# proof
assert first > 600
