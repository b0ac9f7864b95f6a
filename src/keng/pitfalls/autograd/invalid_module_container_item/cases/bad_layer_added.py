# a layer added
from torch import nn

model = nn.Sequential(nn.Linear(2, 2)) + nn.ReLU()  # run: `ReLU`
