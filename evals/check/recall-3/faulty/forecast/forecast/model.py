import torch
from torch import nn


class Forecaster(nn.Module):
    def __init__(self, hidden=64, layers=2):
        super().__init__()
        self.rnn = nn.LSTM(1, hidden, num_layers=layers, dropout=0.1)
        self.head = nn.Linear(hidden, 1)

    def forward(self, x):
        # x: (batch, time, 1)
        out, _ = self.rnn(x)
        out[:, -1].clamp(min=-10, max=10)  # check: tensor-result-discarded; rnn-batch-first
        return self.head(out[:, -1])  # check: rnn-batch-first
