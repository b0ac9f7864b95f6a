# argument: model.forward
import torch

model = torch.nn.Linear(2, 2)
torch.export.export(model.forward, (torch.ones(1, 2),))
