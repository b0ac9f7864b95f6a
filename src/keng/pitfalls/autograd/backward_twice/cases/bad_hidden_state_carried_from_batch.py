# a hidden state carried from batch to batch
import torch
from torch import nn

rnn, head = nn.GRU(4, 8, batch_first=True), nn.Linear(8, 1)
optimizer = torch.optim.SGD([*rnn.parameters(), *head.parameters()], lr=0.1)
hidden = torch.zeros(1, 2, 8)
for step in range(3):
    optimizer.zero_grad()
    out, hidden = rnn(torch.randn(2, 5, 4), hidden)  # check: with the graph of the last round
    loss = head(out).square().mean()
    loss.backward()
    optimizer.step()
