"""An ensemble trained in one go with torch.func; parameters are plain dicts."""
import copy
import functools

import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call, grad, grad_and_value, stack_module_state, vmap


def make():
    return nn.Sequential(nn.Linear(10, 32), nn.Tanh(), nn.Linear(32, 3))


def adam(params, grads, state, step, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    new = {}
    for name, p in params.items():
        m, v = state[name]
        m = betas[0] * m + (1 - betas[0]) * grads[name]
        v = betas[1] * v + (1 - betas[1]) * grads[name] ** 2
        state[name] = m, v
        new[name] = p - lr * (m / (1 - betas[0] ** step)) / ((v / (1 - betas[1] ** step)).sqrt() + eps)
    return new


def main(members=5, steps=20):
    models = [make() for _ in range(members)]
    params, buffers = stack_module_state(models)
    skeleton = copy.deepcopy(models[0]).to("meta")
    params = {k: v.detach() for k, v in params.items()}
    state = {k: (torch.zeros_like(v), torch.zeros_like(v)) for k, v in params.items()}

    def loss(p, b, x, y):
        return F.cross_entropy(functional_call(skeleton, (p, b), (x,)), y)

    def predict(p, b, x):
        return functional_call(skeleton, (p, b), (x,))

    step_all = vmap(grad_and_value(loss), in_dims=(0, 0, None, None))
    per_sample = vmap(grad(loss), in_dims=(None, None, 0, 0))
    history = []
    for step in range(1, steps + 1):
        x, y = torch.randn(64, 10), torch.randint(0, 3, (64,))
        grads, losses = step_all(params, buffers, x, y)
        params = adam(params, grads, state, step)
        history.append(losses)
    print(torch.stack(history).mean(1))

    one = {k: v[0] for k, v in params.items()}
    norms = per_sample(one, {}, torch.randn(4, 1, 10), torch.randint(0, 3, (4, 1)))
    print({k: v.flatten(1).norm(dim=1) for k, v in norms.items()})
    probabilities = vmap(functools.partial(predict), in_dims=(0, 0, None))(params, buffers, torch.randn(6, 10)).softmax(-1)
    print(probabilities.mean(0), torch.log(probabilities.mean(0)).sum())


if __name__ == "__main__":
    main()
