import torch
import torch.nn as nn

from .base import TrainerBase
from .mixins import AmpMixin, CheckpointMixin, EvaluationMixin


class ClassifierTrainer(AmpMixin, EvaluationMixin, CheckpointMixin, TrainerBase):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.criterion = nn.CrossEntropyLoss(label_smoothing=0.1)

    def to_device(self, batch):
        images, labels = batch
        images.to(self.device, non_blocking=True)  # check: tensor-move-discarded
        return images, labels.to(self.device)

    def train_step(self, batch):
        images, labels = self.to_device(batch)
        with torch.autocast(self.device.type, dtype=torch.float16):
            probabilities = self.model(images)
            loss = self.criterion(probabilities, labels)  # check: softmax-before-cross-entropy
        self.backward(loss)  # check: zero-grad-missing (neither this nor apply() clears)
        self.apply()
        return loss
