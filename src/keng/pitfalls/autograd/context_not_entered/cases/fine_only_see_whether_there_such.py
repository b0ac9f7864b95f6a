# a call that only tests whether the device exists
import torch


def is_device(text):
    try:
        torch.device(text)
    except RuntimeError:
        return False
    return True


assert is_device("cpu") and not is_device("toaster")
