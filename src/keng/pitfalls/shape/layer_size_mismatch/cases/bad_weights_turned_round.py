# weights that are turned round
import torch
import torch.nn.functional as F

weight = torch.ones(784, 10)
samples = torch.ones(4, 784)
scores = F.linear(samples, weight)  # run: `weight is (784, 10). Pass weight.T`
