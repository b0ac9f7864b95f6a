# handed to a function that loads it
import torch
from torch import nn


def load_checkpoint(checkpoint, model):
    model.load_state_dict(checkpoint["state_dict"])


torch.serialization.location_tag = lambda storage: "cuda:0"
device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Linear(4, 2).to(device)
with open("my.pth.tar", "wb") as written:
    torch.save({"state_dict": nn.Linear(4, 2).state_dict()}, written)
load_checkpoint(torch.load("my.pth.tar"), model)  # check: as above
