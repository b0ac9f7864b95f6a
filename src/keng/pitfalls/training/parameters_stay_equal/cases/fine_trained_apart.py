# copies trained on their own data and averaged; a model trained twice from one start
import copy

import torch
from torch import nn

torch.manual_seed(0)
shared = nn.Linear(6, 4)
clients = [copy.deepcopy(shared) for _ in range(3)]
optimizers = [torch.optim.SGD(client.parameters(), lr=0.1) for client in clients]
for turn in range(8):
    for client, optimizer in zip(clients, optimizers):
        client.load_state_dict(shared.state_dict())
        optimizer.zero_grad()
        client(torch.randn(16, 6)).square().mean().backward()
        optimizer.step()
    with torch.no_grad():
        for parts in zip(shared.parameters(), *(client.parameters() for client in clients)):
            parts[0].copy_(torch.stack(parts[1:]).mean(0))

for seed in range(2):
    torch.manual_seed(1)
    model = nn.Linear(6, 4)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(8):
        optimizer.zero_grad()
        model(torch.randn(16, 6)).square().mean().backward()
        optimizer.step()
