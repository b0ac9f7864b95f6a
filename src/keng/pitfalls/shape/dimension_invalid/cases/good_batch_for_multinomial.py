# A function gets a tensor of another number of dimensions than it takes
import torch
from torch import nn

chances = torch.ones(2, 5, 9).softmax(-1)
words = torch.multinomial(chances.flatten(0, 1), 1).view(2, 5)
apart = torch.cdist(torch.ones(1, 3), torch.zeros(1, 3))
x = torch.ones(3)
product = x @ x
mean = nn.EmbeddingBag(9, 4)(torch.tensor([[1, 2, 5]]))
