# the constructor's constants leave every layer out that heeds the mode
import torch
from torch import nn


class Generator(nn.Module):
    def __init__(self, has_dropout=True, rate=0.0):
        super().__init__()
        layers = [nn.Conv2d(3, 4, 3, padding=1), nn.InstanceNorm2d(4)]
        if has_dropout:
            layers += [nn.Dropout2d(0.1)]
        if rate > 0:
            layers.append(nn.Dropout(rate))
        self.model = nn.Sequential(*layers)
        self.drop = nn.Dropout(rate)

    def forward(self, x):
        return self.drop(self.model(x))


generator = Generator(has_dropout=False)
generator.load_state_dict(Generator(False).state_dict())
with torch.no_grad():
    for name in ("a", "b"):
        styled = generator(torch.rand(1, 3, 8, 8))
        print(name, styled.mean().item())
