# a loss
import torch

loss = torch.ones(1, requires_grad=True).sum()
loss = loss.backward()
total = loss.item()  # run: None
