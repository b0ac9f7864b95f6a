# one sample, as a column
import torch
from torch import nn

fc = nn.Linear(6, 36)
sample = torch.tensor([[3.0], [1.0], [22.0], [1.0], [0.0], [7.25]])
y = fc(sample)  # run: `6 features in a row`; `sample.T`
