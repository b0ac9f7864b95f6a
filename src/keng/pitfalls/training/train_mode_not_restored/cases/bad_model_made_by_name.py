# a function of a library that validates after each epoch, with data that are optional
import torch
from torch import nn


class Fitting:
    def __init__(self, build, options):
        self.model = getattr(self, build)(options)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
        self.losses = []

    def network(self, width):
        return nn.Sequential(nn.Linear(4, width), nn.Dropout(0.5), nn.Linear(width, 1))

    def fit(self, loader, epochs, val_loader=None):
        for epoch in range(epochs):
            for x, y in loader:
                prediction = self.model(x)  # check: from the second epoch on
                loss = (prediction - y).square().mean()
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
            if val_loader is not None:
                self.model.eval()
                with torch.no_grad():
                    for x, y in val_loader:
                        self.losses.append((self.model(x) - y).square().mean().item())


data = [(torch.randn(8, 4), torch.randn(8, 1)) for _ in range(4)]
fitting = Fitting("network", 8)
fitting.fit(data, 2, val_loader=data)

# proof
assert not fitting.model.training
