# one-hot vectors of whole numbers
import torch
import torch.nn.functional as F

scores, labels = torch.randn(4, 3), torch.eye(3).long()[[0, 2, 1, 1]]
loss = F.cross_entropy(scores, labels)  # run: probabilities are floating-point
