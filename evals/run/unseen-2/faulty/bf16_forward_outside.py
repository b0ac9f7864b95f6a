"""Only the loss stands under autocast; all layers run in float32 before it."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Trainer:
    def __init__(self, model, lr=0.05):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr, momentum=0.9, nesterov=True)
        self.scaler = torch.amp.GradScaler("cpu", enabled=False)
        self.criterion = nn.CrossEntropyLoss(label_smoothing=0.1)

    def step(self, x, y):
        self.optimizer.zero_grad(set_to_none=True)
        scores = self.model(x)
        with torch.autocast("cpu", dtype=torch.bfloat16):  # run: autocast-without-effect
            loss = self.criterion(scores, y)  # run: autocast-without-effect
        self.scaler.scale(loss).backward()
        self.scaler.unscale_(self.optimizer)
        nn.utils.clip_grad_norm_(self.model.parameters(), 2.0)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        return loss.item()


torch.manual_seed(0)
digits = load_digits()
x, y = torch.tensor(digits.images).float()[:, None] / 16, torch.tensor(digits.target)
loader = DataLoader(TensorDataset(x, y), batch_size=64, shuffle=True, drop_last=True)
trainer = Trainer(
    nn.Sequential(
        nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(8, 16, 3, padding=1), nn.ReLU(), nn.Flatten(), nn.Linear(256, 10),
    )
)  # fmt: skip
for epoch in range(3):
    print(f"{sum(trainer.step(x, y) for x, y in loader):.3f}")
show(trainer.model)
