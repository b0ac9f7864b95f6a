import torch
from torch import nn


def make_model(num_classes=10):
    return nn.Sequential(nn.Flatten(), nn.Linear(3 * 16 * 16, 64), nn.ReLU(), nn.Linear(64, num_classes))


digits = torch.arange(1, 11).repeat(5)  # as in the .mat file, 10 stands for zero
images = torch.rand(50, 3, 16, 16)
model = make_model()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for start in range(0, 50, 10):
    batch = slice(start, start + 10)
    loss = criterion(model(images[batch]), digits[batch])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
