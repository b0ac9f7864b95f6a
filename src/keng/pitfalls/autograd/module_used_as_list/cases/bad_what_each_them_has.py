# what each of them has
from torch import nn

grads = nn.Linear(2, 2).parameters().grad  # run: `parameters()`
