# dropout of a single recurrent layer, which drops nothing; test data that the model learns from
import torch
from torch import nn

torch.manual_seed(0)
x_train, x_test = torch.randn(32, 5, 4), torch.randn(16, 5, 4)
single = nn.Sequential(nn.GRU(4, 8, num_layers=1))
optimizer = torch.optim.Adam(single.parameters())
for epoch in range(2):
    optimizer.zero_grad()
    single(x_train)[0].square().mean().backward()
    optimizer.step()
with torch.no_grad():
    outputs, _ = single(x_test)
adapted = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.1))
optimizer = torch.optim.Adam(adapted.parameters())
for epoch in range(2):
    optimizer.zero_grad()
    adapted(x_train).square().mean().backward()
    optimizer.step()
entropy = adapted(x_test).softmax(-1).square().mean()
optimizer.zero_grad()
entropy.backward()
optimizer.step()
