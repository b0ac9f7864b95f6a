# methods of one object
import torch
from torch import nn
from torch.utils.data import DataLoader


def layer(width, out):
    return nn.Sequential(nn.Linear(width, out), nn.Dropout(0.5))


class Runner:
    def __init__(self):
        data = list(torch.randn(16, 4))
        self.train_loader, self.test_loader = DataLoader(data, 8), DataLoader(data, 8)
        self.model = nn.Sequential(layer(4, 4), nn.Linear(4, 1))
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
        self.modes = []

    def train_epoch(self):
        for x in self.train_loader:
            self.optimizer.zero_grad()
            loss = self.model(x).square().mean()  # check: in eval mode from the second epoch on
            loss.backward()
            self.optimizer.step()
            self.modes.append(self.model.training)

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        return sum(self.model(x).square().mean().item() for x in self.test_loader)

    def run(self, epochs):
        for epoch in range(epochs):
            self.train_epoch()
            print(self.validate())


runner = Runner()
runner.run(3)

# proof
assert runner.modes[0] and not runner.modes[-1]
