# A file was written by a newer PyTorch, or in a form for another loader
# needs: an older PyTorch
import torch

model = torch.load("scripted.pt")
