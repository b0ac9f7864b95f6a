# the last of its own loop, printed; a validation loss of all batches; a value that each iteration adds to
import torch
from torch import nn

torch.manual_seed(0)
model, best = nn.Linear(4, 1), float("inf")
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
batches = [torch.randn(8, 4), torch.randn(8, 4)]
for epoch in range(2):
    total, shown = 0.0, 0.0
    for x in batches:
        loss = model(x).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(f"last {loss.item():.3f}")
    with torch.no_grad():
        loss = torch.stack([model(x).square().mean() for x in batches]).mean()
    if loss < best:
        best = loss.item()
    optimizer.zero_grad()
    for x in batches:
        loss = model(x).square().mean() / 2
        shown = shown + loss.detach()
        last = loss.detach()
        print(f"{last:.3f}")
        loss.backward()
    optimizer.step()
    print(f"{shown:.3f}")
