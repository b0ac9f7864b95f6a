# no parts
import torch

words = torch.nested.nested_tensor([], layout=torch.jagged)  # run: `the list for the nested tensor is empty`
