# an element of a tensor is set to what is no number, or is to be deleted
import torch

scores = torch.zeros(3)
scores[0] = float("nan")
scores = scores[1:]
