# features of images of another size
import torch

maps = torch.ones(6, 4, 4, 4)
flat = maps.view(-1, 4 * 5 * 5)  # run: `has 64 values for each of 6 samples, not 100`
