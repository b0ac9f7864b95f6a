# repeated by a fraction
from torch import nn

depth = 6
model = nn.Sequential(nn.Linear(2, 2)) * (depth / 2)  # run: `float`
