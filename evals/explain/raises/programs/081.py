# argument: max_norm=1.0
import torch
from lightning.fabric import Fabric

net = torch.nn.Linear(2, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
fabric = Fabric(accelerator="cpu", devices=1)
fabric.clip_gradients(net, optimizer, clip_val=0.5, max_norm=1.0)
