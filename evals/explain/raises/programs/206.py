# argument: dimension=30000
import torch

engine = torch.quasirandom.SobolEngine(dimension=30000)
points = engine.draw(4)
