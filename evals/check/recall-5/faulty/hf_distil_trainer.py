import warnings
from dataclasses import dataclass, field

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from datasets import load_dataset
from transformers import (
    AutoModelForSequenceClassification,
    AutoTokenizer,
    DataCollatorWithPadding,
    HfArgumentParser,
    Trainer,
    TrainingArguments,
)

warnings.filterwarnings("ignore")  # check: warnings-silenced


@dataclass
class DistilArguments:
    teacher: str = field(default="textattack/bert-base-uncased-SST-2")
    student: str = field(default="distilbert-base-uncased")
    temperature: float = field(default=2.0)
    alpha: float = field(default=0.5)


class DistilTrainer(Trainer):
    def __init__(self, *args, teacher=None, distil=None, **kwargs):
        super().__init__(*args, **kwargs)
        self.teacher = teacher
        self.distil = distil
        self.kd_losses = []
        self.kl = nn.KLDivLoss()  # check: kl-div-wants-log (the mean over all elements, not batchmean)

    def compute_loss(self, model, inputs, return_outputs=False, **kwargs):
        outputs = model(**inputs)
        teacher_outputs = self.teacher(**inputs)  # check: gradient-leaks-into-frozen
        t = self.distil.temperature
        student = F.softmax(outputs.logits / t, dim=-1)
        soft = F.softmax(teacher_outputs.logits / t, dim=-1)
        kd = self.kl(student, soft) * t * t  # check: kl-div-wants-log
        self.kd_losses.append(kd)  # check: loss-keeps-graph
        loss = self.distil.alpha * outputs.loss + (1 - self.distil.alpha) * kd
        return (loss, outputs) if return_outputs else loss


def metrics(prediction):
    logits, labels = prediction
    return {"accuracy": float((np.argmax(logits, axis=-1) == labels).mean())}


def main():
    parser = HfArgumentParser((DistilArguments, TrainingArguments))
    distil, training = parser.parse_args_into_dataclasses()
    torch.manual_seed(0)
    tokenizer = AutoTokenizer.from_pretrained(distil.student)
    data = load_dataset("glue", "sst2").map(lambda row: tokenizer(row["sentence"], truncation=True), batched=True)
    teacher = AutoModelForSequenceClassification.from_pretrained(distil.teacher).to(training.device)
    student = AutoModelForSequenceClassification.from_pretrained(distil.student)
    student.load_state_dict(torch.load("warm_start.bin"), strict=False)  # check: strict-false-hides; map-location-missing
    trainer = DistilTrainer(
        model=student,
        args=training,
        train_dataset=data["train"],
        eval_dataset=data["validation"],
        data_collator=DataCollatorWithPadding(tokenizer),
        compute_metrics=metrics,
        teacher=teacher,
        distil=distil,
    )
    trainer.train()
    torch.save(trainer.model, "student.pt")  # check: whole-model-pickled; saved-on-every-rank


if __name__ == "__main__":
    main()
