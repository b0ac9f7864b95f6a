import torch
import torch.nn as nn
from ignite.engine import Engine, Events
from ignite.handlers import Checkpoint, DiskSaver, EarlyStopping
from ignite.metrics import Accuracy, Loss, RunningAverage
from torch.utils.data import DataLoader


def trainer_of(model, optimizer, criterion, device, accumulate=2):
    def update(engine, batch):
        model.train()
        if (engine.state.iteration - 1) % accumulate == 0:
            optimizer.zero_grad()
        x, y = (t.to(device) for t in batch)
        loss = criterion(model(x), y) / accumulate
        loss.backward()
        if engine.state.iteration % accumulate == 0:
            optimizer.step()
        return {"loss": loss.item() * accumulate, "lr": optimizer.param_groups[0]["lr"]}

    return Engine(update)


def evaluator_of(model, device):
    @torch.no_grad()
    def step(engine, batch):
        model.eval()
        x, y = batch
        return model(x.to(device)), y.to(device)

    return Engine(step)


class History:
    def __init__(self):
        self.losses = []

    def __call__(self, engine):
        self.losses.append(engine.state.output["loss"])

    def attach(self, engine):
        engine.add_event_handler(Events.ITERATION_COMPLETED(every=10), self)


def run(model, train_set, val_set, epochs=10):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model.to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, mode="max")
    criterion = nn.CrossEntropyLoss()
    trainer = trainer_of(model, optimizer, criterion, device)
    evaluator = evaluator_of(model, device)
    RunningAverage(output_transform=lambda out: out["loss"]).attach(trainer, "loss")
    Accuracy().attach(evaluator, "accuracy")
    Loss(criterion).attach(evaluator, "loss")
    History().attach(trainer)
    train_loader = DataLoader(train_set, 64, shuffle=True, drop_last=True)
    val_loader = DataLoader(val_set, 256)

    @trainer.on(Events.EPOCH_COMPLETED)
    def validate(engine):
        evaluator.run(val_loader)
        scheduler.step(evaluator.state.metrics["accuracy"])

    def score(engine):
        return engine.state.metrics["accuracy"]

    evaluator.add_event_handler(Events.COMPLETED, EarlyStopping(5, score, trainer))
    kept = {"model": model, "optimizer": optimizer, "trainer": trainer}
    evaluator.add_event_handler(Events.COMPLETED, Checkpoint(kept, DiskSaver("runs"), score_function=score))
    trainer.run(train_loader, epochs)
