# a list that is searched
import torch

seen, x = [torch.ones(2)], torch.zeros(2)
if x in seen:  # run: `any(x is each`
    print(x)
