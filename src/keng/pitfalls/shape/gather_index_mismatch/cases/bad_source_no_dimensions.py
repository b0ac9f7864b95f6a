# a source of no dimensions
import torch

x = torch.zeros(2, 3)
index = torch.tensor([[0], [2]])
x.scatter_(dim=1, index=index, src=torch.tensor(1.0))  # run: a plain number
