# gather, with floats
import torch

x = torch.zeros(3, 4)
order = torch.tensor([[1.0], [0.0], [2.0]])
y = x.gather(1, order)  # run: float indices
