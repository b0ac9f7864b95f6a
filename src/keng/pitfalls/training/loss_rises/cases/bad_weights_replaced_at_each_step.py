# a learning rate a hundred times too high, at which the loss stays that of a guess
import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(256, 32)
y = x[:, :4].argmax(1)
model = nn.Sequential(nn.Linear(32, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 4))
optimizer = torch.optim.Adam(model.parameters(), lr=1.0)
for step in range(120):
    part = torch.randint(256, (32,))
    loss = nn.functional.cross_entropy(model(x[part]), y[part])
    optimizer.zero_grad()
    loss.backward()  # run: the learning rate 1 is too high
    optimizer.step()
# proof
assert nn.functional.cross_entropy(model(x), y) > 1.2
