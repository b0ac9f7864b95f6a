# both ways ask for the same; the old setting comes last; the operation is set again; a getter after an old setting
import torch


def agree():
    torch.set_float32_matmul_precision("high")
    torch.backends.fp32_precision = "tf32"


def last():
    torch.backends.fp32_precision = "ieee"
    torch.set_float32_matmul_precision("high")


def again():
    torch.backends.cuda.matmul.allow_tf32 = True
    torch.backends.fp32_precision = "ieee"
    torch.backends.cuda.matmul.fp32_precision = "ieee"


def one_of(fast):
    if fast:
        torch.set_float32_matmul_precision("high")
    else:
        torch.backends.fp32_precision = "ieee"


def read():
    torch.set_float32_matmul_precision("high")
    return torch.get_float32_matmul_precision()


for way in (agree, last, again, read):
    way()
one_of(False)
