# labels smoothed above 1, as for a GAN; a regression
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(8, 4)
optimizer.zero_grad()
loss = nn.functional.binary_cross_entropy_with_logits(net(x), 0.7 + 0.5 * torch.rand(8, 1))
loss = loss + nn.functional.mse_loss(net(x), torch.full((8, 1), 255.0))
loss.backward()
optimizer.step()
