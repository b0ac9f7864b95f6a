# a set of numbers, of names, of the dimensions of a shape
import torch

order = torch.randperm(10)
train = set(order[:8].tolist())
print([row for row in range(10) if row not in train])
print(set(torch.zeros(2, 3).shape), set("abc"), set(order.numpy()[:3]))
