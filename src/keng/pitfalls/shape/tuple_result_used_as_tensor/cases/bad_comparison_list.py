# of a comparison with a list
import torch

prediction, labels = torch.tensor([1, 0]), [1, 0]
hits = (prediction.tolist() == labels).float()  # run: one truth value
