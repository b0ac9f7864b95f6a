import os
import torch
import torch.nn as nn
from torchvision.models import densenet121


class Wrapped(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = densenet121().features
        self.classifier = nn.Linear(1024, 14)

    def forward(self, x):
        f = self.features(x).relu().mean((2, 3))
        return torch.sigmoid(self.classifier(f))


def main(loader, val_loader):
    model = Wrapped().cuda()
    model = nn.DataParallel(model)  # check: data-parallel-deprecated
    optimizer = torch.optim.Adam([
        {'params': model.features.parameters(), 'lr': 1e-5},  # check: wrapped-module-attribute
        {'params': model.module.classifier.parameters()}], lr=1e-4)
    criterion = nn.BCELoss()
    best = 1e9
    for epoch in range(10):
        model.train()
        for x, y in loader:
            loss = criterion(model(x.cuda()), y.cuda())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        model.eval()
        val = 0
        with torch.no_grad():
            for x, y in val_loader:
                val += criterion(model(x.cuda()), y.cuda()).item()
        if val < best:
            best = val
            torch.save(model.state_dict(), 'chexnet.pth')  # check: state-prefix


def resume(path):
    net = Wrapped()
    weights = torch.load(path, map_location='cpu')
    net.load_state_dict(weights, strict=False)  # check: strict-false-hides
    return net.eval()
