# a word of another setting
import torch

torch.set_deterministic_debug_mode("on")  # run: default, warn, error
