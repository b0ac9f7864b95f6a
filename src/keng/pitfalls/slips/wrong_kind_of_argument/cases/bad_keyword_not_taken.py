# a keyword of another version of a function
from torch import nn


def get_model(width, cpu_run=False):
    model = nn.Linear(width, 1)
    return model if cpu_run else model.double()


def load(width, gpu):
    if gpu:
        return get_model(width, to_cuda=True)  # check: `get_model` takes no argument `to_cuda`
    return get_model(width, cpu_run=True)


model = load(2, gpu=False)

# proof
try:
    load(2, gpu=True)
except TypeError:
    pass
else:
    raise AssertionError("it was taken")
