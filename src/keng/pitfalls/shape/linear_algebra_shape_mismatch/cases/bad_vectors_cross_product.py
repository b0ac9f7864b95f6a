# vectors in a cross product
import torch

normal = torch.linalg.cross(torch.ones(3), torch.ones(2, 3))  # run: `unsqueeze`
