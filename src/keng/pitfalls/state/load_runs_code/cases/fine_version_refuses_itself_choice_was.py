# a version that refuses by itself; a choice that was made
import torch

torch.save({"weight": torch.ones(3)}, "model.pt")
state = torch.load("model.pt")
options = {"weights_only": False}
state = torch.load("model.pt", **options)
