# batches are to be gathered for one step; the printed numbers look well
import torch
from torch import nn

torch.manual_seed(0)
model, criterion = nn.Linear(4, 2), nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = [(torch.randn(8, 4), torch.randint(2, (8,))) for _ in range(4)]
for _ in range(2):
    optimizer.zero_grad()
    for x, y in batches:
        loss = criterion(model(x), y)  # check: three of four batches are forgotten
        print(f"{loss.item():.3f}")
    loss.backward()
    optimizer.step()

# proof
model.zero_grad()
criterion(model(x), y).backward()
last = model.weight.grad.clone()
model.zero_grad()
sum(criterion(model(x), y) for x, y in batches).backward()
assert not torch.allclose(last, model.weight.grad, atol=1e-3)
