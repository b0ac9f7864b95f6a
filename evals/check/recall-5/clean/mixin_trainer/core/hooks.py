import contextlib
import os

import torch


class Hooks:
    """What a trainer may do between its steps."""

    def on_epoch_start(self):
        pass

    def on_epoch_end(self, metrics):
        pass

    def after_backward(self):
        pass


class ClearsGradients:
    def before_backward(self):
        self.optimizer.zero_grad(set_to_none=True)


class ClipsGradients(Hooks):
    max_norm = 1.0

    def after_backward(self):
        self.scaler.unscale_(self.optimizer)
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.max_norm)
        super().after_backward()


class Validates(Hooks):
    @contextlib.contextmanager
    def evaluating(self):
        was = self.model.training
        self.model.eval()
        try:
            with torch.inference_mode():
                yield
        finally:
            self.model.train(was)

    def on_epoch_end(self, metrics):
        with self.evaluating():
            metrics["val"] = self.score(self.val_loader)
        super().on_epoch_end(metrics)

    def score(self, loader):
        total, outputs = 0.0, []
        for x, y in loader:
            out = self.model(self.move(x))
            outputs.append(out)
            total += self.criterion(out, self.move(y))
        return total / len(loader)


class Saves(Hooks):
    best = float("inf")

    def on_epoch_end(self, metrics):
        super().on_epoch_end(metrics)
        if metrics["val"] < self.best:
            self.best = float(metrics["val"])
            self.save()

    def save(self):
        name = os.path.join(self.folder, "best.pt")
        torch.save(
            {
                "model": self.model.state_dict(),
                "optimizer": self.optimizer.state_dict(),
                "scheduler": self.scheduler.state_dict(),
                "scaler": self.scaler.state_dict(),
                "epoch": self.epoch,
                "best": self.best,
            },
            name + ".tmp",
        )
        os.replace(name + ".tmp", name)

    def resume(self, name):
        state = torch.load(name, map_location=self.device, weights_only=True)
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.scheduler.load_state_dict(state["scheduler"])
        self.scaler.load_state_dict(state["scaler"])
        self.epoch, self.best = state["epoch"] + 1, state["best"]
