# a product by its name
import torch


def attend(x, heads):
    b, t, c = x.shape
    x = x.view(b, t, heads, c // heads).transpose(1, 2)
    weights = torch.matmul(x, x.transpose(-2, -1)).softmax(-1)
    y = torch.matmul(weights, x).transpose(1, 2)
    return y.view(b, t, -1)  # check: the heads lie apart


y = attend(torch.zeros(2, 5, 8), 2)
