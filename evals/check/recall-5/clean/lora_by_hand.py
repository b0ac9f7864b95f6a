import math
import re

import torch
import torch.nn as nn
from torch.nn.utils import parametrize


class Low(nn.Module):
    """W + B A, as a parametrization of the weight."""

    def __init__(self, weight, rank, alpha):
        super().__init__()
        out, inp = weight.shape
        self.a = nn.Parameter(torch.empty(rank, inp, device=weight.device, dtype=weight.dtype))
        self.b = nn.Parameter(torch.zeros(out, rank, device=weight.device, dtype=weight.dtype))
        self.scale = alpha / rank
        nn.init.kaiming_uniform_(self.a, a=math.sqrt(5))

    def forward(self, weight):
        return weight + self.scale * (self.b @ self.a)


def adapt(model, pattern, rank=8, alpha=16):
    model.requires_grad_(False)
    for name, module in model.named_modules():
        if isinstance(module, nn.Linear) and re.search(pattern, name):
            parametrize.register_parametrization(module, "weight", Low(module.weight, rank, alpha))
    return [p for p in model.parameters() if p.requires_grad]


def lora_state(model):
    return {k: v for k, v in model.state_dict().items() if ".parametrizations.weight.0." in k}


def train(model, loader, val_loader, epochs=3, accumulate=8, device="cuda"):
    trained = adapt(model, r"(q|v)_proj$")
    model.to(device)
    optimizer = torch.optim.AdamW(trained, lr=2e-4, fused=True)
    steps = math.ceil(len(loader) / accumulate) * epochs
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, 2e-4, total_steps=steps)
    for _ in range(epochs):
        model.train()
        for i, batch in enumerate(loader):
            batch = {k: v.to(device) for k, v in batch.items()}
            with torch.autocast(device, dtype=torch.bfloat16):
                loss = model(**batch).loss
            (loss / accumulate).backward()
            if (i + 1) % accumulate == 0 or i + 1 == len(loader):
                nn.utils.clip_grad_norm_(trained, 1.0)
                optimizer.step()
                scheduler.step()
                optimizer.zero_grad(set_to_none=True)
        print(perplexity(model, val_loader, device))
    torch.save(lora_state(model), "lora.pt")


@torch.no_grad()
def perplexity(model, loader, device):
    model.eval()
    losses = []
    for batch in loader:
        batch = {k: v.to(device) for k, v in batch.items()}
        losses.append(model(**batch).loss)
    return torch.stack(losses).mean().exp().item()


def restore(model, path):
    adapt(model, r"(q|v)_proj$")
    missing, unexpected = model.load_state_dict(torch.load(path, map_location="cpu", weights_only=True), strict=False)
    assert not unexpected and not [k for k in missing if ".parametrizations.weight.0." in k]
    return model.eval()
