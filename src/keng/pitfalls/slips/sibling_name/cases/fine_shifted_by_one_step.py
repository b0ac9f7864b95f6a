# the targets go in without their last token and are predicted without their first
import torch
from torch import nn

embed, head, loss_of = nn.Embedding(9, 4), nn.Linear(4, 9), nn.CrossEntropyLoss()


def validation_step(batch):
    input_ids = batch["input_ids"]
    target_ids = batch["target_ids"]
    decoder_input = target_ids[:, :-1]
    decoder_target = target_ids[:, 1:]
    logits = head(embed(decoder_input))
    return loss_of(logits.reshape(-1, 9), decoder_target.reshape(-1))


validation_step({"input_ids": torch.zeros(2, 5).long(), "target_ids": torch.zeros(2, 5).long()})
