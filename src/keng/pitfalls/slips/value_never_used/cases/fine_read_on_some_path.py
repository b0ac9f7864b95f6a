# read in the next round, in a handler, by a nested function, by its name; a start value; an unpacked rest; what a call does besides
import torch
from torch import nn
from torch.nn import functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.fc = nn.GRUCell(4, 4), nn.Linear(4, 4)

    def forward(self, x, mask=None):
        state, loss = torch.zeros(len(x), 4), torch.zeros(())
        for _ in range(3):
            out = self.cell(x, state)
            state = F.relu(self.fc(out))
        query, key, value = self.fc(x), self.fc(x), self.fc(x)
        try:
            out = self.fc(out)
            out = self.cell(out, query)
        except RuntimeError:
            print(out.shape)
        scaled = self.fc(key)
        loss = (out - x).square().mean()

        def closure():
            return scaled.sum()

        hidden = self.fc(x)
        return closure() + loss + locals()["hidden"].sum()


def train_step(model, optimizer, x):
    loss = model(x)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(2):
    loss = train_step(model, optimizer, torch.randn(2, 4))
