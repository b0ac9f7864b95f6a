# a device where its kind is wanted
import torch

with torch.autocast(torch.device("cpu")):  # run: "cpu" is wanted
    pass
