# copied layers, one behind the other; tied weights; an average; a head that starts at zero
import copy

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        layer = nn.TransformerEncoderLayer(16, 2, 32, 0.0, batch_first=True)
        self.body = nn.TransformerEncoder(layer, 3, enable_nested_tensor=False)
        self.words = nn.Embedding(20, 16)
        nn.init.normal_(self.words.weight, std=0.02)
        self.head = nn.Linear(16, 20, bias=False)
        self.head.weight = self.words.weight
        self.value = nn.Linear(16, 5)
        nn.init.zeros_(self.value.weight)

    def forward(self, x):
        hidden = self.body(self.words(x))
        return self.head(hidden), self.value(hidden.mean(1))


torch.manual_seed(0)
model = Model()
average = copy.deepcopy(model).requires_grad_(False)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for step in range(8):
    x = torch.randint(20, (8, 6))
    words, value = model(x)
    loss = nn.functional.cross_entropy(words[:, :-1].flatten(0, 1), x[:, 1:].flatten())
    loss = loss + nn.functional.mse_loss(value, torch.randn(8, 5))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    with torch.no_grad():
        for slow, fast in zip(average.parameters(), model.parameters()):
            slow.lerp_(fast, 0.1)
