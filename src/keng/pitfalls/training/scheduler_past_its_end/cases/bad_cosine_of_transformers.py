# the cosine of transformers, made for the epochs and stepped for each batch
# needs: import transformers
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from transformers import get_cosine_schedule_with_warmup

torch.manual_seed(0)
data = TensorDataset(torch.randn(32, 3), torch.randn(32, 1))


class Fit:
    def __init__(self, model, rounds):
        self.model, self.rounds = model, rounds
        self.optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
        length = {"num_warmup_steps": 0, "num_training_steps": rounds}
        self.schedule = get_cosine_schedule_with_warmup(self.optimizer, **length)  # run: created for 4 steps

    def run(self):
        rates = []
        for _ in range(self.rounds):
            for x, y in DataLoader(data, batch_size=4):
                self.optimizer.zero_grad()
                nn.functional.mse_loss(self.model(x), y).backward()
                self.optimizer.step()
                self.schedule.step()
                rates += self.schedule.get_last_lr()
        return rates


rates = Fit(nn.Linear(3, 1), 4).run()
# proof
assert rates[3] < 1e-6 and rates[7] > 0.009
