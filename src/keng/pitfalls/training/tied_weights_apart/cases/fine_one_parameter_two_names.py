# one parameter under two names; flattened recurrent weights; views of one buffer; a copy that begins alike
import copy

import torch
from torch import nn

torch.manual_seed(0)
embed, head, rnn = nn.Embedding(12, 8), nn.Linear(8, 12, bias=False), nn.LSTM(8, 8, 2)
head.weight = embed.weight
nn.init.normal_(embed.weight, std=0.02)
buffer = 0.1 * torch.randn(4, 8, 8)
parts = nn.ParameterList([nn.Parameter(buffer[number]) for number in range(4)])
model = nn.ModuleDict({"embed": embed, "head": head, "rnn": rnn, "parts": parts}).double()
teacher = copy.deepcopy(model).float()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for step in range(4):
    ids = torch.randint(12, (5, 6))
    hidden = rnn(embed(ids))[0]
    for part in parts:
        hidden = hidden @ part
    loss = nn.functional.cross_entropy(head(hidden).flatten(0, 1), ids.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
