# of a shape
import torch

sizes = torch.ones(2, 3).shape.numpy()  # run: a shape
