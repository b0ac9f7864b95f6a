import math

import torch
from torch import nn


class LoRA(nn.Module):
    def __init__(self, base: nn.Linear, rank=4, alpha=8):
        super().__init__()
        self.base = base.requires_grad_(False)
        self.down = nn.Parameter(torch.empty(rank, base.in_features))
        self.up = nn.Parameter(torch.zeros(base.out_features, rank))
        nn.init.kaiming_uniform_(self.down, a=math.sqrt(5))
        self.scale = alpha / rank

    def forward(self, x):
        return self.base(x) + self.scale * (x @ self.down.T) @ self.up.T


def inject(model: nn.Module, rank=4) -> nn.Module:
    for name, child in list(model.named_children()):
        if isinstance(child, nn.Linear):
            setattr(model, name, LoRA(child, rank))
        else:
            inject(child, rank)
    return model


def lora_state(model):
    return {k: v.detach().cpu() for k, v in model.state_dict().items() if k.endswith(('.down', '.up'))}


base = nn.Sequential(nn.Embedding(50, 16), nn.Flatten(), nn.Linear(160, 32), nn.GELU(), nn.Linear(32, 2))
base.requires_grad_(False)
model = inject(base)
trainable = [p for p in model.parameters() if p.requires_grad]
optimizer = torch.optim.AdamW(trainable, lr=1e-3, weight_decay=0.0)
x, y = torch.randint(0, 50, (64, 10)), torch.randint(0, 2, (64,))
for step in range(10):
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
torch.save(lora_state(model), 'lora.pt')
fresh = torch.load('lora.pt', map_location='cpu', weights_only=True)
missing, unexpected = model.load_state_dict(fresh, strict=False)
assert not unexpected, unexpected
assert all(not k.endswith(('.down', '.up')) for k in missing)
