# kept in a variable, used as a decorator, or entered by hand
import torch

off = torch.no_grad()
off.__enter__()
off.__exit__(None, None, None)


@torch.no_grad()
def predict(model, x):
    return model(x)
