import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split

from engine import Trainer


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--accumulate", type=int, default=4)
    parser.add_argument("--epochs", type=int, default=2)
    args = parser.parse_args()
    data = TensorDataset(torch.randn(1001, 20), torch.randint(0, 5, (1001,)))
    train, valid = random_split(data, [801, 200])
    model = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Dropout(0.1), nn.Linear(64, 5))
    loaders = DataLoader(train, 16, shuffle=True), DataLoader(valid, 64)
    Trainer(model, loaders, nn.CrossEntropyLoss(), k=args.accumulate, epochs=args.epochs).fit()


if __name__ == "__main__":
    main()
