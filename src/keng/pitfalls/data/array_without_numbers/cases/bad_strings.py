# strings
import torch

labels = torch.tensor(["cat", "dog"])  # run: `text is no number`
