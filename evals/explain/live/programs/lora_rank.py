from peft import LoraConfig, get_peft_model
from torch import nn

WIDTH = 64
RANK = 64 // 128


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.dense = nn.Linear(WIDTH, WIDTH)
        self.out = nn.Linear(WIDTH, 4)

    def forward(self, x):
        return self.out(self.dense(x).relu())


config = LoraConfig(r=RANK, lora_alpha=8, target_modules=["dense"], modules_to_save=["out"])
print(get_peft_model(Head(), config))
