# a second name
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
x, y = torch.randn(16, 4), torch.randn(16, 1)
lowest = float("inf")
for epoch in range(6):
    loss = (model(x) - y).square().mean()
    if loss.item() < lowest:
        lowest, was = loss.item(), model.weight.detach().clone()
        best_model = model  # check: the same model
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
torch.save(best_model.state_dict(), "best.pt")

# proof
assert not torch.equal(best_model.weight, was)
