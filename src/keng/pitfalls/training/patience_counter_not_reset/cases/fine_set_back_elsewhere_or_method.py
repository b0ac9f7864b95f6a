# reset elsewhere, or by a method; a count that does not end the training; a count that is not compared with a best value
import torch

losses = [torch.tensor(1.0 - 0.01 * step) for step in range(10)]
best, wait, bad_epochs, bad_batches = float("inf"), 0, 0, 0
for loss in losses:
    improved = loss < best
    if loss < best:
        best = loss
    else:
        wait += 1
    if improved:
        wait = 0
    if wait > 5:
        break
for loss in losses:
    if loss < best:
        best = loss
    else:
        bad_epochs += 1
print(bad_epochs)


class Stopping:
    def __init__(self):
        self.bad, self.best, self.stop = 0, torch.inf, False

    def renew(self):
        self.bad = 0

    def __call__(self, value):
        if value < self.best:
            self.best = value
            self.renew()
        else:
            self.bad += 1
        if self.bad > 3:
            self.stop = True


stopping = Stopping()
stopping(torch.tensor(1.0))
for loss in losses:
    if loss.isfinite():
        best = min(best, loss)
    else:
        bad_batches += 1
    if bad_batches > 5:
        break
