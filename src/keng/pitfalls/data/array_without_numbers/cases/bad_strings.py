# strings
import torch

labels = torch.tensor(["cat", "dog"])  # run: `a string is among the numbers`
