# a view that joins the parts
import torch

words = torch.nested.nested_tensor([torch.ones(2, 4), torch.ones(3, 4)], layout=torch.jagged)
flat = words.view(-1, 4)  # run: `values()`
