# argument: eps=-1e-8
import torch

net = torch.nn.Linear(4, 2)
optimizer = torch.optim.RAdam(net.parameters(), eps=-1e-8)
