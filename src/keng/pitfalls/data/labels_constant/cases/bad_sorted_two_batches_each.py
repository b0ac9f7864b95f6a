# sorted, two batches for each class: the model is wrong throughout
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
prototypes = torch.randn(10, 1, 12, 12)
images = torch.cat([p + 0.9 * torch.randn(100, 1, 12, 12) for p in prototypes])
labels = torch.arange(10).repeat_interleave(100)
train = DataLoader(TensorDataset(images, labels), batch_size=50)
model = nn.Sequential(nn.Conv2d(1, 16, 3), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2),
                      nn.Flatten(), nn.Linear(400, 64), nn.ReLU(), nn.Linear(64, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
for epoch in range(3):
    for x, y in train:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)  # run: sorted
        loss.backward()
        optimizer.step()
