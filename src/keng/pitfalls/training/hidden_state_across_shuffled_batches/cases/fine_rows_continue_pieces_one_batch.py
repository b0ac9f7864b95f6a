# rows that continue; pieces of one batch; a decoder that starts from its encoder's state; a learned initial state
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
gru, decoder = nn.GRU(1, 8, batch_first=True), nn.GRU(1, 8, batch_first=True)
begin = nn.Parameter(torch.randn(1, 1, 8))
optimizer = torch.optim.Adam([*gru.parameters(), *decoder.parameters(), begin])


def learn(out):
    optimizer.zero_grad()
    out.square().mean().backward()
    optimizer.step()


waves = torch.sin(torch.arange(8 * 96) * 0.3).view(8, 8, 12, 1)
state = torch.zeros(1, 8, 8)
for (x,) in DataLoader(TensorDataset(waves.transpose(0, 1).flatten(0, 1)), batch_size=8):
    out, state = gru(x, state.detach())
    learn(out)
for (x,) in DataLoader(TensorDataset(waves.flatten(0, 1)), batch_size=8, shuffle=True):
    state = begin.expand(1, 8, 8)
    for piece in x.split(4, dim=1):
        out, state = gru(piece, state)
        decoded, _ = decoder(piece, state)
        learn(out.mean() + decoded)
        state = state.detach()
