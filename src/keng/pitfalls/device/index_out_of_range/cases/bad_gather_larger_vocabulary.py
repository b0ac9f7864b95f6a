# gather, of a larger vocabulary
import torch

scores, ids = torch.zeros(2, 3), torch.tensor([[0, 2], [1, 3]])
y = scores.gather(1, ids)  # run: `fewer classes or tokens`
