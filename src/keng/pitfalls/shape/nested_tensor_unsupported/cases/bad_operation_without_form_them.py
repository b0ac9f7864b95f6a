# an operation without a form for them
import torch

words = torch.nested.nested_tensor([torch.ones(2, 4), torch.ones(3, 4)])
mean = words.mean()  # run: `aten::mean`
