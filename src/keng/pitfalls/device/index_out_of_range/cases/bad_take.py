# take
import torch

x = torch.zeros(3)
y = x.take(torch.tensor([3]))  # run: the last element is 2
