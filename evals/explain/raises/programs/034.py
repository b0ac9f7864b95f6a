# argument: weight
import torch

start = torch.zeros(3, device="meta")
end = torch.ones(3, device="meta")
weight = torch.full((3,), 0.5, dtype=torch.float64, device="meta")
middle = torch.lerp(start, end, weight)
