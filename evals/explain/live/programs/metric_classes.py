import torch
from torchmetrics import MetricCollection
from torchmetrics.classification import MulticlassAccuracy, MulticlassF1Score


def metrics(num_classes=4):
    return MetricCollection({"acc": MulticlassAccuracy(num_classes), "f1": MulticlassF1Score(num_classes)})


tracker = metrics()
model = torch.nn.Linear(6, 4)
for _ in range(3):
    x, y = torch.randn(20, 6), torch.arange(20) % 5
    tracker.update(model(x), y)
print(tracker.compute())
