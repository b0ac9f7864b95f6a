import argparse

import torch
from torch import nn


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--hidden", type=int, default=64)
    parser.add_argument("--projection", type=int, default=128)
    return parser.parse_args()


class Recognizer(nn.Module):
    def __init__(self, hidden, projection):
        super().__init__()
        self.lstm = nn.LSTM(40, hidden, num_layers=2, batch_first=True, proj_size=projection)
        self.out = nn.Linear(projection, 30)

    def forward(self, frames):
        return self.out(self.lstm(frames)[0])


args = options()
model = Recognizer(args.hidden, args.projection)
print(model(torch.randn(2, 20, 40)).shape)
