# no source
import torch

scripted = torch.jit.script(eval("lambda x: x * 2"))  # run: no source
