"""Every block initializes the whole of itself again, over what was initialized or loaded before."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)


class PreTrained(nn.Module):
    def post_init(self):
        self.apply(self.initialize)

    def initialize(self, module):
        if isinstance(module, nn.Linear):
            nn.init.normal_(module.weight, std=0.02)  # run: weights-initialized-again
            nn.init.zeros_(module.bias)


class Block(PreTrained):
    def __init__(self, width):
        super().__init__()
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.post_init()

    def forward(self, x):
        return x + self.down(F.gelu(self.up(x)))


class Stack(PreTrained):
    def __init__(self, width, layers):
        super().__init__()
        self.blocks = nn.Sequential(*(Block(width) for _ in range(layers)))
        self.post_init()

    def forward(self, x):
        return self.blocks(x)


class Model(PreTrained):
    def __init__(self, width=16, layers=2):
        super().__init__()
        self.stack, self.head = Stack(width, layers), nn.Linear(width, 4)
        self.post_init()

    def forward(self, x):
        return self.head(self.stack(x))


model = Model()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
for step in range(20):
    x, y = torch.randn(8, 16), torch.randint(4, (8,))
    optimizer.zero_grad(set_to_none=True)
    F.cross_entropy(model(x), y).backward()
    optimizer.step()
