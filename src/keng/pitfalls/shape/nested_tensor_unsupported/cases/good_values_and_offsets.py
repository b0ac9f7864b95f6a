# work on the values, lengths from the offsets
import torch
from torch import nn

words = torch.nested.nested_tensor([torch.ones(2, 4), torch.ones(3, 4)], layout=torch.jagged)
longest = int(words.offsets().diff().max())
y = nn.BatchNorm1d(4)(words.values())
normal = torch.nested.nested_tensor_from_jagged(y, words.offsets())
padded = normal.to_padded_tensor(0.0)
