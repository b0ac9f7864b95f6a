# not annotated
import torch


def repeat(x, times):
    return x.repeat([times])


scripted = torch.jit.script(repeat)  # run: `times: int`
