# queries masked as well as keys; rows of the result set to zero
import torch

pad = 0
tokens = torch.tensor([[3, 7, 5, pad]])
rows = (tokens != pad).unsqueeze(1).unsqueeze(3)
columns = (tokens != pad).unsqueeze(1).unsqueeze(2)
both = rows & columns
causal = columns & torch.ones(4, 4).tril().bool()
weights = torch.rand(1, 2, 4, 4).masked_fill(causal == 0, -1e9).softmax(-1)
values = torch.rand(1, 2, 4, 8) * rows
out = (weights @ values).masked_fill(rows == 0, 0.0)
assert both.shape == causal.shape == (1, 1, 4, 4)
assert (weights[..., 3] == 0).all()
