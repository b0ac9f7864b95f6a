# over the score of each of the flattened tokens, in a module
import torch
from torch import nn


class Finder(nn.Module):
    def __init__(self, words, hidden):
        super().__init__()
        self.lstm = nn.LSTM(words, hidden)
        self.attn = nn.Linear(hidden + words, 1)
        self.normalize = nn.Softmax(dim=1)

    def forward(self, x):
        length, batch, width = x.shape
        outputs, _ = self.lstm(x)
        outputs, x = outputs.view(-1, outputs.size(2)), x.view(-1, width)
        weights = self.normalize(self.attn(torch.cat((x, outputs), 1)))  # check: dimension of size 1
        return weights.view(length, batch)


weights = Finder(6, 4)(torch.rand(7, 3, 6))

# proof
assert weights.eq(1).all()
