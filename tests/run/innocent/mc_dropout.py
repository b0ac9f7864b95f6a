"""Monte Carlo dropout: after training, only the dropout layers are put back in training mode, on purpose."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc, self.norm, self.drop = nn.Linear(8, 16), nn.BatchNorm1d(16), nn.Dropout(0.2)
        self.out = nn.Linear(16, 1)

    def forward(self, x):
        return self.out(self.drop(torch.relu(self.norm(self.fc(x)))))


def enable_dropout(model):
    for module in model.modules():
        if isinstance(module, nn.Dropout):
            module.train()


def train(model, loader, optimizer):
    model.train()
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()


@torch.no_grad()
def predict_with_uncertainty(model, loader, samples=5):
    model.eval()
    enable_dropout(model)
    return [torch.stack([model(x) for _ in range(samples)]).std(0) for x, _ in loader]


net = Net()
data = TensorDataset(torch.randn(64, 8), torch.randn(64, 1))
optimizer = torch.optim.Adam(net.parameters())
for epoch in range(2):
    train(net, DataLoader(data, batch_size=16, shuffle=True), optimizer)
spread = predict_with_uncertainty(net, DataLoader(data, batch_size=32))
