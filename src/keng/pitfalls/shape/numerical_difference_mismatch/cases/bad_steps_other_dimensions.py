# steps of other dimensions
import torch

slope = torch.gradient(torch.ones(2, 4), spacing=(1.0, 2.0, 3.0))  # run: `3 steps`
