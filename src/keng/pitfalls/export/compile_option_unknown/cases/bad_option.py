# an option
import torch

double = torch.compile(lambda x: 2 * x, options={"autotune": True})  # run: `autotune`
