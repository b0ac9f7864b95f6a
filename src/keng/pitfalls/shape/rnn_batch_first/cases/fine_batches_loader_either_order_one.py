# batches of a loader in either order; one step at a time
import torch
from torch import nn
from torch.utils.data import DataLoader

loader = DataLoader(torch.randn(32, 10, 3), batch_size=8)
first, second = nn.GRU(3, 8, batch_first=True), nn.LSTM(3, 8)
for x in loader:
    out, hidden = first(x)
    out, hidden = second(x.transpose(0, 1))
    for step in x.unbind(1):
        out, hidden = second(step.unsqueeze(0))
