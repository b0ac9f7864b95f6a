# a flatten that took in the batch
import torch
import torch.nn.functional as F

features = torch.ones(4, 2, 3)
scores, labels = features.view(-1, 3), torch.zeros(4).long()
loss = F.cross_entropy(scores, labels)  # run: `8 rows of scores meet 4 labels`
