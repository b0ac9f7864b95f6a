import torch
import torch.nn as nn

LAYERS, HIDDEN = 2, 32


def initial_state(batch):
    return torch.zeros(LAYERS, batch, HIDDEN), torch.zeros(LAYERS, batch, HIDDEN)


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(24, HIDDEN, LAYERS, batch_first=True, bidirectional=True)
        self.score = nn.Linear(2 * HIDDEN, 1)

    def forward(self, x, state):
        h, state = self.rnn(x, state)
        return self.score(h), state


encoder = Encoder()
prices = torch.randn(16, 50, 24)
scores, _ = encoder(prices, initial_state(len(prices)))
print(scores.shape)
