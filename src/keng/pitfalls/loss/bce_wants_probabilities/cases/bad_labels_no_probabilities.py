# labels that are no probabilities
import torch
import torch.nn.functional as F

scores = torch.sigmoid(torch.randn(4))
loss = F.binary_cross_entropy(scores, torch.tensor([0.0, 1.0, 2.0, 1.0]))  # run: a label of 2
