# a range backwards
import torch

counts = torch.histc(torch.ones(4), bins=10, min=5, max=1)  # run: `min`
