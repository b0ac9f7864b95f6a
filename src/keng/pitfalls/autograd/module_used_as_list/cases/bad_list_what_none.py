# a list and what is none
from torch import nn

encoder, head = nn.Linear(2, 2), nn.Linear(2, 1)
learned = list(encoder.parameters()) + head.parameters()  # run: list(...)
