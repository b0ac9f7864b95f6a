# nothing is sure enough; `has no elements`
import torch

scores = torch.tensor([0.1, 0.2])
best = scores[scores > 0.5].max()  # run: no score is left
