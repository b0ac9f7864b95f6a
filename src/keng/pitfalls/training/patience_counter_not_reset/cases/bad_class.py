# in a class
import torch


class EarlyStopping:
    def __init__(self, patience=5):
        self.patience, self.counter, self.best, self.early_stop = patience, 0, torch.inf, False

    def __call__(self, value):
        if value >= self.best:
            self.counter += 1  # check: never 0 again
            if self.counter >= self.patience:
                self.early_stop = True
        else:
            self.best = value


stopping = EarlyStopping()
for step in range(10):
    stopping(torch.tensor(1.0 - 0.01 * step + 0.03 * (step % 2)))

# proof
assert stopping.early_stop
