# no loader, stacked by hand
import torch

frames = [torch.zeros(3, 8, 8), torch.zeros(3, 8, 6)]
clip = torch.stack(frames)  # run: 8 x 8 and 8 x 6
