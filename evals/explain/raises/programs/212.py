# argument: model
import torch

model = torch.nn.Linear(2, 2)
schedule = torch.optim.lr_scheduler.StepLR(model, step_size=10)
