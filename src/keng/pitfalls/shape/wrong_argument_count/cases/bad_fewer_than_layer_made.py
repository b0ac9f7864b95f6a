# fewer than a layer is made of
from torch import nn

layer = nn.Linear(4)  # run: `out_features`
