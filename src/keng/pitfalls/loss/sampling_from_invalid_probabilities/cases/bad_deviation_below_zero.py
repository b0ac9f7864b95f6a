# a deviation below zero
import torch

noise = torch.normal(torch.zeros(3), -torch.ones(3))  # run: -1 is no deviation
