# sorted data with one step for all rows; classes that are easy to separate; one batch per class; a single pass
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
labels = torch.arange(256) // 64
rows = torch.randn(256, 8) + 2 * F.one_hot(labels, 8)


def train(data, batch_size, epochs, steps_each):
    model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 4))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    loader = DataLoader(data, batch_size=batch_size)
    for epoch in range(epochs):
        for count, (x, y) in enumerate(loader, 1):
            (F.cross_entropy(model(x), y) / steps_each).backward()
            if count % steps_each == 0:
                optimizer.step()
                optimizer.zero_grad()


train(TensorDataset(rows, labels), 8, 4, 32)
train(TensorDataset(rows + 8 * F.one_hot(labels, 8), labels), 8, 4, 1)
train(TensorDataset(rows + 3 * F.one_hot(labels, 8), labels), 32, 4, 1)
train(TensorDataset(rows, labels), 64, 4, 1)
train(TensorDataset(rows, labels), 8, 1, 1)
