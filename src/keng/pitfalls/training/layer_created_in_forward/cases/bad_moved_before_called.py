# moved before it is called
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.inputs, self.outputs = inputs, outputs
        self.body = nn.Linear(inputs, outputs)

    def forward(self, x):
        y = self.body(x)
        if self.inputs != self.outputs:
            x = nn.Linear(self.inputs, self.outputs).to(x.device)(x)  # check: a new shortcut
        return x + y


model = Block(4, 2)
x = torch.ones(1, 4)
one, two = model(x), model(x)

# proof
assert not torch.equal(one, two)
