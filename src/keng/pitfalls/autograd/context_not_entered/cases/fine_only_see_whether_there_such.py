# only to see whether there is such a device
import torch


def is_device(text):
    try:
        torch.device(text)
    except RuntimeError:
        return False
    return True


assert is_device("cpu") and not is_device("toaster")
