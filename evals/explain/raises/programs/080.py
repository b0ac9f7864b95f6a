# argument: optimizer
import torch
from lightning.fabric.plugins.precision import MixedPrecision

net = torch.nn.Linear(2, 1)
optimizer = torch.optim.LBFGS(net.parameters())
scaler = torch.amp.GradScaler("cpu")
precision = MixedPrecision("16-mixed", "cpu", scaler=scaler)
precision.optimizer_step(optimizer)
