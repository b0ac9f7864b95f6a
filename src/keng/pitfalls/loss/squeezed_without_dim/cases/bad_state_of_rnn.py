# the state of an RNN, (1, batch, width)
import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.rnn = nn.GRU(3, width, batch_first=True)

    def forward(self, x):
        _, hidden = self.rnn(x)
        return hidden.squeeze()  # check: `hidden`


whole, one = Encoder()(torch.rand(5, 7, 3)), Encoder()(torch.rand(1, 7, 3))

# proof
assert whole.dim() == 2
assert one.dim() == 1
