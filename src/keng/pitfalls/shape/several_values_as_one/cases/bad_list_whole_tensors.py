# a list of whole tensors
import torch

hits = [torch.tensor([0, 1]), torch.tensor([1, 1])]
whole = torch.tensor(hits)  # run: `torch.stack joins a list of tensors`
