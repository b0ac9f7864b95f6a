# two modules, in a loop
import torch
from torch import nn

torch.manual_seed(0)
encoder, head = nn.Linear(4, 16), nn.Linear(16, 3)
before = encoder.weight.clone()
optimizer = torch.optim.SGD([*encoder.parameters(), *head.parameters()], lr=0.1)
for step in range(8):
    x, y = torch.randn(16, 4), torch.randint(3, (16,))
    with torch.no_grad():  # run: `encoder` never learns
        features = encoder(x)
    loss = nn.functional.cross_entropy(head(features), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

# proof
assert torch.equal(encoder.weight, before)
