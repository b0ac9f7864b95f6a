# products that stay in full float32; convolutions that keep TF32; a getter that raises
import torch


def fast():
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.fp32_precision = "tf32"  # check: stay in full float32
    assert torch.backends.cuda.matmul.fp32_precision == "ieee"


def exact():
    torch.backends.cudnn.allow_tf32 = True
    torch.backends.fp32_precision = "ieee"  # check: keep TF32
    assert torch.backends.cudnn.conv.fp32_precision == "tf32"


def read():
    torch.backends.cuda.matmul.fp32_precision = "tf32"
    try:
        print(torch.get_float32_matmul_precision())  # check: raises a RuntimeError
    except RuntimeError:
        return True
    return False


# proof
fast()
exact()
assert read()
