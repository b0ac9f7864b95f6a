# a language model of padded texts, in a function
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.rnn = nn.Embedding(20, 8), nn.GRU(8, 8, batch_first=True)
        self.head = nn.Linear(8, 20)

    def forward(self, ids):
        return self.head(self.rnn(self.embed(ids))[0])


def texts(length):
    ids = torch.zeros(4, 25, dtype=torch.long)
    ids[:, :length] = torch.randint(1, 20, (4, length))
    return ids


def train(model, optimizer, loss_fn, steps, accumulate):
    for _ in range(steps):
        optimizer.zero_grad()
        for micro in range(accumulate):
            ids = texts(5 + 6 * micro)
            loss = loss_fn(model(ids[:, :-1]).flatten(0, 1), ids[:, 1:].flatten()) / accumulate
            loss.backward()  # run: `16 to 88 targets`
        optimizer.step()


torch.manual_seed(0)
model = Model()
train(model, torch.optim.Adam(model.parameters()), nn.CrossEntropyLoss(ignore_index=0), 12, 4)
