# a text
import torch

torch.manual_seed("run-1")  # run: `'run-1'`
