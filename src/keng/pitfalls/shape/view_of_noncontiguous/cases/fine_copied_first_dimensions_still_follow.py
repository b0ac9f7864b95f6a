# copied first; dimensions that are still in order; a dimension of size 1; sizes that keng does not know
import torch


def rows(x, n):
    return x.transpose(1, 2).view(n, -1)


x = torch.zeros(2, 3, 4).permute(0, 2, 1)
same = x.contiguous().view(2, -1)
y = torch.zeros(2, 3, 4).permute(2, 0, 1).view(4, 6)
z = torch.zeros(2, 1, 4).transpose(1, 2).view(2, -1)
w = torch.zeros(2, 3, 4).transpose(0, 1).view(3, 2, 2, 2)
u = rows(torch.zeros(2, 1, 3), 2)
