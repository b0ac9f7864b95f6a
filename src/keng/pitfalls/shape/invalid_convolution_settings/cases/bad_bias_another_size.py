# a bias of another size
import torch
import torch.nn.functional as F

weight, bias = torch.ones(4, 3, 3, 3), torch.ones(3)
y = F.conv2d(torch.ones(1, 3, 8, 8), weight, bias)  # run: `4 output channels`
