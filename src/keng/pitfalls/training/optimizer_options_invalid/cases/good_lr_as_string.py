# an option of an optimizer or a scheduler is a text, None or another thing that is no number
from torch import nn
from torch.optim import AdamW
from torch.optim.lr_scheduler import MultiStepLR

config = {"lr": "1e-3"}
optimizer = AdamW(nn.Linear(2, 2).parameters(), lr=float(config["lr"]), betas=(0.9, 0.999))
scheduler = MultiStepLR(optimizer, [30, 60])
