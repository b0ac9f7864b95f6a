# a version that rejects such files by default; an explicit choice
import torch

torch.save({"weight": torch.ones(3)}, "model.pt")
state = torch.load("model.pt")
options = {"weights_only": False}
state = torch.load("model.pt", **options)
