# a value before; another branch; a test that was settled; a read under a condition; the first iteration of a loop
import torch


def before(x, penalty):
    extra = 0.0
    if penalty:
        extra = x.abs().mean()
    return extra


def settled(x, penalty):
    if not penalty:
        return x
    if penalty:
        extra = x.abs().mean()
    return extra


def asked_again(x, penalty):
    if penalty:
        extra = x.abs().mean()
    if penalty:
        x = x + extra
    return x + (extra if penalty else 0)


def first_round(xs):
    for n, x in enumerate(xs):
        if n == 0:
            total = torch.zeros_like(x)
        total = total + x
    return total


def leaves(x, penalty):
    if penalty:
        extra = x.abs().mean()
    if not penalty:
        return x
    return x + extra


x = torch.ones(2)
print(before(x, False), settled(x, False), asked_again(x, False), first_round([x, x]), leaves(x, False))
