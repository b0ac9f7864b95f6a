# the target is made in the form of the prediction
import torch
from torch import nn

bce = nn.BCELoss()
anchors, neighbors = torch.rand(4, 3).softmax(1), torch.rand(4, 3).softmax(1)
similarity = torch.bmm(anchors.view(4, 1, 3), neighbors.view(4, 3, 1)).squeeze()
ones = torch.ones_like(similarity)
loss = bce(similarity, ones)
