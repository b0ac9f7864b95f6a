# under FSDP a forward and its backward do not come in pairs
# needs: several cards
import torch


def step(model, first, second):
    model(torch.cat([first, second])).mean().backward()
