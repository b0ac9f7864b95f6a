# a dimension of a number
import torch

total = torch.ones(3).sum()
share = total.softmax(1)  # run: `total is a single number`
