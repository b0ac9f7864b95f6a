# something that is no layer
from torch import nn

net = nn.Sequential(nn.Linear(2, 2), lambda x: x.relu())  # run: a function is no module
