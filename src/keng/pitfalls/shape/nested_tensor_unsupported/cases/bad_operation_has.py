# an operation that it has not
import torch

words = torch.nested.nested_tensor([torch.ones(2, 4), torch.ones(3, 4)], layout=torch.jagged)
turned = words.flip(0)  # run: `flip`
