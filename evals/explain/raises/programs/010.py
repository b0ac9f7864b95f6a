# argument: lr=-0.5
import torch

net = torch.nn.Linear(4, 2)
optimizer = torch.optim.Adadelta(net.parameters(), lr=-0.5)
