# a class that is given its model and loaders
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc, self.drop, self.out = nn.Linear(8, 16), nn.Dropout(0.5), nn.Linear(16, 3)

    def forward(self, x):
        return self.out(self.drop(self.fc(x).relu()))


class Trainer:
    def __init__(self, model, train_loader, val_loader, device):
        self.model = model.to(device)
        self.train_loader, self.val_loader, self.device = train_loader, val_loader, device
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def train_epoch(self):
        self.model.train()
        for x, y in self.train_loader:
            self.optimizer.zero_grad()
            self.criterion(self.model(x), y).backward()
            self.optimizer.step()

    @torch.no_grad()
    def validate(self):
        correct = 0
        for x, y in self.val_loader:
            x, y = x.to(self.device), y.to(self.device)
            correct += (self.model(x).argmax(1) == y).sum().item()  # check: dropout is on
        return correct

    def fit(self, epochs):
        for _ in range(epochs):
            self.train_epoch()
            self.validate()


data = TensorDataset(torch.randn(64, 8), torch.randint(3, (64,)))
Trainer(Net(), DataLoader(data, batch_size=16), DataLoader(data, batch_size=32), "cpu").fit(2)
