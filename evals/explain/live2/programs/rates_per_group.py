import torch
from torch import nn

model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
peaks = [0.05, 0.5]
epochs, batches = 3, 20
scheduler = torch.optim.lr_scheduler.OneCycleLR(
    optimizer, peaks, epochs=epochs, steps_per_epoch=batches
)
for _ in range(epochs * batches):
    loss = model(torch.randn(4, 8)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    scheduler.step()
