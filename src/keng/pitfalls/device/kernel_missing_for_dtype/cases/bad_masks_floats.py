# masks of floats
import torch

prices = torch.tensor([0.5, 2.0])
both = prices & prices  # run: `> 0 for a mask`
