# a map of another name
from torch import nn
from torch.nn.utils.parametrizations import orthogonal

layer = orthogonal(nn.Linear(2, 2), orthogonal_map="qr")  # run: `householder`
