# changed outside
import torch

with torch.inference_mode():
    total = torch.zeros(3)
total.add_(1)  # run: changed outside the mode
