# a weight that is transposed
import torch
import torch.nn.functional as F

hidden, head = torch.rand(4, 8), torch.nn.Linear(8, 10)
labels = torch.randint(0, 10, (4,))
loss = F.linear_cross_entropy(hidden, head.weight.T, labels)  # run: 8
