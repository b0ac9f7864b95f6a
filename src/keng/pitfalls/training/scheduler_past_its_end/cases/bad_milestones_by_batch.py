# milestones of epochs, reached after so many batches
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train(model, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    decay = torch.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[2, 3], gamma=0.1)
    for epoch in range(epochs):
        for (x,) in loader:
            optimizer.zero_grad()
            model(x).mean().backward()
            optimizer.step()
            decay.step()  # check: `MultiStepLR` was created for epochs
    return decay.get_last_lr()


# proof
data = DataLoader(TensorDataset(torch.ones(8, 2)), batch_size=1)
assert train(nn.Linear(2, 1), data, 1)[0] < 0.002
