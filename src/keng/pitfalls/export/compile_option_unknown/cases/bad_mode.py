# a mode
import torch

double = torch.compile(lambda x: 2 * x, mode="max_autotune")  # run: `max-autotune`
