# nothing
import torch

scores = torch.zeros(3)
scores[0] = None  # run: `NoneType`
