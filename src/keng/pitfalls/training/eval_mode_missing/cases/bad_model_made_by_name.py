# a function of a library that switches to training mode alone, and evaluates batch by batch
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def measured(build, options, batches, val_batches=None):
    model = globals()[build](options)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    errors = []
    for epoch in range(2):
        model.train()
        for x, y in batches:
            loss = (model(x) - y).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if val_batches is not None:
            for x, y in val_batches:
                with torch.no_grad():
                    prediction = model(x)  # check: no `model.eval()` follows
                errors.append((prediction - y).square().mean().item())
    return errors, model


def network(width):
    return nn.Sequential(nn.Linear(4, width), nn.Dropout(0.5), nn.Linear(width, 1))


data = DataLoader(TensorDataset(torch.randn(32, 4), torch.randn(32, 1)), batch_size=8)
_, model = measured("network", 8, data, val_batches=data)

# proof
assert model.training
