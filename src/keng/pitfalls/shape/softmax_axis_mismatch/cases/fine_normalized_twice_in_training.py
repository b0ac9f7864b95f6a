# slots that compete and are normalized again; a matrix of transitions; keys transposed before the product
import torch
from torch import nn

torch.manual_seed(0)
slots, inside, moves = nn.Linear(6, 4), nn.Linear(6, 6), nn.Parameter(torch.randn(5, 5))
optimizer = torch.optim.Adam([*slots.parameters(), *inside.parameters(), moves], lr=1e-3)
for step in range(5):
    x = torch.randn(3, 5, 6)
    shares = slots(x).transpose(1, 2).softmax(dim=1)
    shares = shares / shares.sum(-1, keepdim=True)
    first = shares @ x
    state = moves.softmax(dim=0) @ torch.full((5,), 0.2)
    context = inside(x).softmax(dim=1).transpose(1, 2) @ x
    loss = first.square().mean() + state.square().sum() + context.square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
