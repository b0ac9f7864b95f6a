# frames
import torch

frames = torch.ones(100).unfold(0, 400, 160)  # run: `400`
