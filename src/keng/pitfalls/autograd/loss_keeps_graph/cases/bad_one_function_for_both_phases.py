# one function trains and evaluates, and its callers decide what is recorded
import torch
from torch import nn

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
data = [(torch.randn(8, 4), torch.randn(8, 1)) for _ in range(4)]


def run(batches, optimizer=None):
    total = 0.0
    for x, y in batches:
        loss = (model(x) - y).square().mean()
        if optimizer is not None:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        total += loss  # check: graph
    return total / len(batches)


trained = run(data, optimizer)
with torch.no_grad():
    tested = run(data)

# proof
assert trained.grad_fn is not None and tested.grad_fn is None
