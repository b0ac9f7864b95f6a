import argparse

import torch
import torch.nn as nn
from lib import build
from torch.utils.data import DataLoader, TensorDataset


class Whole(nn.Module):
    def __init__(self, net, head):
        super().__init__()
        self.net = net
        self.head = head

    def forward(self, x):
        return self.head(self.net(x))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--net", default="mixer")
    parser.add_argument("--head", default="logprobabilities")
    parser.add_argument("--loss", default="nll")
    parser.add_argument("--optimizer", default="torch.optim.AdamW")
    parser.add_argument("--epochs", type=int, default=5)
    args = parser.parse_args()
    torch.manual_seed(0)
    model = Whole(build("net", args.net, dim=64, depth=2), build("head", args.head, dim=64, classes=5))
    criterion = build("loss", args.loss)
    optimizer = build("optimizer", args.optimizer, params=model.parameters(), lr=1e-3)
    data = TensorDataset(torch.randn(1000, 64), torch.randint(5, (1000,)))
    loader = DataLoader(data, 50, shuffle=True)
    for epoch in range(args.epochs):
        model.train()
        for x, y in loader:
            loss = criterion(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            right = sum((model(x).argmax(1) == y).sum().item() for x, y in loader)
        print(epoch, right / len(data))


if __name__ == "__main__":
    main()
