# four points of a plane, in float64
import torch

points = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]
matrix = torch.zeros(4, 3, dtype=torch.float64)
for row, (x, y) in zip(matrix, points):
    row[:] = torch.tensor([x, y, 1.0])
heights = torch.tensor([0.0, 1.0, 2.0, 1.0], dtype=torch.float64)
plane = torch.linalg.lstsq(matrix, heights, driver="gels").solution
