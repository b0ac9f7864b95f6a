import torch

from .hooks import ClearsGradients, ClipsGradients, Saves, Validates


class Loop:
    def __init__(self, model, criterion, optimizer, scheduler, loaders, device, folder="."):
        self.model = model.to(device)
        self.criterion = criterion
        self.optimizer = optimizer
        self.scheduler = scheduler
        self.train_loader, self.val_loader = loaders
        self.device = device
        self.folder = folder
        self.scaler = torch.amp.GradScaler(device.type)
        self.epoch = 0

    def move(self, value):
        return value.to(self.device, non_blocking=True)

    def fit(self, epochs):
        self.model.train()
        while self.epoch < epochs:
            self.on_epoch_start()
            losses = [self.step(batch) for batch in self.train_loader]
            self.scheduler.step()
            self.on_epoch_end({"loss": sum(losses) / len(losses)})
            self.epoch += 1

    def step(self, batch):
        x, y = map(self.move, batch)
        with torch.autocast(self.device.type, dtype=torch.float16):
            loss = self.criterion(self.model(x), y)
        self.before_backward()
        self.scaler.scale(loss).backward()
        self.after_backward()
        self.scaler.step(self.optimizer)
        self.scaler.update()
        return loss.item()


class Trainer(ClearsGradients, ClipsGradients, Validates, Saves, Loop):
    """All of them; the order of the bases is the order of the hooks."""
