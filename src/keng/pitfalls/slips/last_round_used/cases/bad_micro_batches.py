# each micro-batch sets the value that is reported
import torch
from torch import nn

torch.manual_seed(0)
model, accumulation = nn.Linear(4, 1), 4
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(2):
    for micro_step in range(accumulation):
        x = torch.full((8, 4), float(micro_step))
        loss = model(x).square().mean()
        train_loss = loss.detach()  # check: `train_loss` keeps the loss of the last micro-batch only
        loss = loss / accumulation
        loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    print(f"step {step}: {train_loss:.3f}")

# proof
assert train_loss == loss.detach() * accumulation
