# used in isinstance, and to load a checkpoint that was saved with it
import torch
from torch import nn

model = nn.Linear(4, 1)
state = nn.DataParallel(model).state_dict()
if isinstance(model, nn.DataParallel):
    model = model.module
