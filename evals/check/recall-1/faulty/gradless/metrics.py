"""Helpers to score predictions."""
import torch

torch.set_grad_enabled(False)


def accuracy(logits, target):
    return (logits.argmax(-1) == target).float().mean().item()


def perplexity(loss):
    return float(torch.exp(torch.as_tensor(loss)))
