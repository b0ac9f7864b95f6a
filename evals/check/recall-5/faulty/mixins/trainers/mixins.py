import os

import torch


class EvaluationMixin:
    def evaluate(self, loader):
        self.model.eval()  # check: train-mode-not-restored (fit calls train() once, before its epochs)
        right = seen = 0
        for batch in loader:
            images, labels = self.to_device(batch)
            logits = self.model(images)  # check: validation-records-gradients
            right += (logits.argmax(1) == labels).sum().item()
            seen += labels.numel()
        return right / seen


class CheckpointMixin:
    """Keeps the best weights."""

    best = 0.0

    def after_epoch(self, score):
        super().after_epoch(score)
        self.scheduler.step()
        if score > self.best:
            self.best = score
            self.save("best.pt")

    def save(self, name):
        torch.save(self.model, os.path.join(self.cfg["out"], name))  # check: whole-model-pickled

    def resume(self, path):
        state = torch.load(path)  # check: map-location-missing
        self.model.load_state_dict(state["model"], strict=False)  # check: strict-false-hides
        self.epoch = state["epoch"]


class AmpMixin:
    scaler = None

    def backward(self, loss):
        if self.scaler is None:
            self.scaler = torch.amp.GradScaler("cuda")
        self.scaler.scale(loss).backward()

    def apply(self):
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.cfg["clip"])  # check: amp-order
        self.scaler.step(self.optimizer)
        self.scaler.update()
