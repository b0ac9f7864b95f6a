# a softmax over the parts
import torch

words = torch.nested.nested_tensor([torch.ones(2, 4), torch.ones(3, 4)])
scores = words.softmax(0)  # run: `dim=-1`
