# argument: "missing.pt"
import torch

scripted = torch.jit.load("missing.pt")
