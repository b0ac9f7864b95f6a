import json

import torch
from pydantic import BaseModel, Field
from torch import nn

FILE = '{"width": 32, "layers": 0, "rate": 0.001, "device": "cpu"}'


class Settings(BaseModel):
    width: int = Field(gt=0)
    layers: int = Field(ge=1)
    rate: float
    device: str = "cpu"


settings = Settings(**json.loads(FILE))
layers = [nn.Linear(settings.width, settings.width) for _ in range(settings.layers)]
model = nn.Sequential(*layers).to(settings.device)
optimizer = torch.optim.SGD(model.parameters(), lr=settings.rate)
