# torchScript meets a value of Python that it cannot take along
import torch


def scale(x, factor: int):
    return x * factor


compiled = torch.compile(scale, backend="eager")
