"""A run is stopped and goes on with everything: weights, moments, schedule, average, random state."""

import io

import torch
from digest import show
from sklearn.datasets import make_regression
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn


class Run:
    def __init__(self, seed):
        torch.manual_seed(seed)
        self.model = nn.Sequential(nn.Linear(12, 48), nn.SiLU(), nn.Linear(48, 1))
        self.ema = AveragedModel(self.model, multi_avg_fn=get_ema_multi_avg_fn(0.95))
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-2)
        self.scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, 80, 1e-4)
        self.step = 0

    def train(self, x, y, until):
        while self.step < until:
            idx = torch.randint(0, len(x), (32,))
            loss = nn.functional.mse_loss(self.model(x[idx]), y[idx])
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.scheduler.step()
            self.ema.update_parameters(self.model)
            self.step += 1
        print(self.step, f"{loss.item():.4f}", self.scheduler.get_last_lr()[0])

    def parts(self):
        return {k: v for k, v in vars(self).items() if hasattr(v, "state_dict")}

    def save(self, file):
        state = {k: v.state_dict() for k, v in self.parts().items()}
        torch.save({**state, "step": self.step, "rng": torch.get_rng_state()}, file)

    def load(self, file):
        state = torch.load(file, weights_only=True)
        for name, part in self.parts().items():
            part.load_state_dict(state[name])
        self.step = state["step"]
        torch.set_rng_state(state["rng"])


x, y = (torch.tensor(a).float() for a in make_regression(600, 12, random_state=0))
y = (y / y.std())[:, None]
first = Run(0)
first.train(x, y, 40)
file = io.BytesIO()
first.save(file)
first.train(x, y, 80)
file.seek(0)
second = Run(1)
second.load(file)
second.train(x, y, 80)
with torch.no_grad():
    print(f"{nn.functional.mse_loss(second.ema(x), y).item():.4f}")
show(first.model, second.model, second.ema)
