import torch


class LoggingMixin:
    def reset_log(self):
        self.running = 0.0
        self.seen = 0

    def log_loss(self, loss, n):
        self.running += loss * n
        self.seen += n

    @property
    def average(self):
        return self.running / max(self.seen, 1)


class EvalMixin:
    def evaluate(self, loader):
        hits = total = 0
        for user, item, liked in loader:  # check: validation-records-gradients; eval-mode-missing
            score = self.model(user.to(self.device), item.to(self.device))
            hits += ((score > 0.5).float() == liked.to(self.device)).sum().item()
            total += len(liked)
        return hits / total
