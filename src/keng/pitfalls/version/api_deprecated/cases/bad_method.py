# a method
import torch

x = torch.eye(3)
values, vectors = x.symeig(eigenvectors=True)  # check: gone with the function
