"""A curriculum of ever longer sums clears the gradients once a stage instead of once a step."""

import torch
from digest import show
from torch import nn
from torch.nn import functional as F


class Adder(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.cell = nn.GRUCell(1, hidden)
        self.out = nn.Linear(hidden, 1)

    def forward(self, x):
        state = x.new_zeros(len(x), self.cell.hidden_size)
        for column in x.unbind(1):
            state = self.cell(column.unsqueeze(1), state)
        return self.out(state).squeeze(1)


class Curriculum:
    def __init__(self, lengths, steps):
        self.lengths, self.steps = lengths, steps

    def __iter__(self):
        for length in self.lengths:
            yield length, (torch.rand(32, length) for _ in range(self.steps))


def stage(model, optimizer, batches):
    optimizer.zero_grad()
    for x in batches:
        loss = F.mse_loss(model(x), x.sum(1))
        loss.backward()  # run: zero-grad-missing
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()  # run: zero-grad-missing
    return loss.item()


torch.manual_seed(0)
model = Adder()
optimizer = torch.optim.Adam(model.parameters(), 3e-3)
for length, batches in Curriculum([2, 4, 6, 8], 30):
    print(length, f"{stage(model, optimizer, batches):.4f}")
show(model)
