# an odd height
import torch
import torch.nn.functional as F

small = F.pixel_unshuffle(torch.ones(1, 3, 5, 4), 2)  # run: `5 is not a multiple of 2`
