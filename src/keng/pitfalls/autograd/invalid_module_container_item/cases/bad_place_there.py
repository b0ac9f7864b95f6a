# a place that is not there
from torch import nn

model = nn.Sequential(nn.Linear(2, 2))
model.insert(5, nn.ReLU())  # run: `place 5`
