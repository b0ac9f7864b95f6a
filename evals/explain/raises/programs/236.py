# argument: r=-4
import torch
from peft import ShiraConfig, get_peft_model


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.proj = torch.nn.Linear(8, 8)

    def forward(self, x):
        return self.proj(x)


model = get_peft_model(Net(), ShiraConfig(r=-4, target_modules=["proj"]))
