# of an output and a state
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm, self.fc = nn.LSTM(4, 8, batch_first=True), nn.Linear(8, 1)

    def forward(self, x):
        out = self.lstm(x)
        return self.fc(out[:, -1, :])  # run: `out, state = lstm(x)`


y = Net()(torch.ones(2, 5, 4))
