"""LoRA by hand for a small GPT, in bf16, with a factory for everything from a YAML file."""
import math
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F
import yaml
from torch.utils.checkpoint import checkpoint
from torch.utils.data import DataLoader, Dataset
from transformers import AutoModelForCausalLM, AutoTokenizer


class LoRALinear(nn.Module):
    def __init__(self, base, rank=8, alpha=16, dropout=0.05):
        super().__init__()
        self.base = base
        self.a = nn.Parameter(torch.empty(rank, base.in_features))
        self.b = torch.zeros(base.out_features, rank, requires_grad=True)  # check: module-not-registered
        self.scaling = alpha / rank
        self.dropout = dropout
        nn.init.kaiming_uniform_(self.a, a=math.sqrt(5))

    def forward(self, x):
        low = F.dropout(x, p=self.dropout) @ self.a.t()  # check: functional-dropout-always-on
        return self.base(x) + low @ self.b.t() * self.scaling


def inject(model, names, **options):
    for module in list(model.modules()):
        for name, child in list(module.named_children()):
            if name in names and isinstance(child, nn.Linear):
                setattr(module, name, LoRALinear(child, **options))


def only_lora(model):
    for name, p in model.named_parameters():
        p.require_grad = name.endswith((".a", ".b"))  # check: require-grad-typo


class Instructions(Dataset):
    def __init__(self, path, tokenizer):
        self.rows = yaml.safe_load(open(path))
        self.tokenizer = tokenizer
        self.cache = {}

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        if i not in self.cache:
            self.cache[i] = self.tokenizer(self.rows[i]["text"])["input_ids"]  # check: dataset-python-objects-grow
        return torch.tensor(self.cache[i])


class Head(nn.Module):
    def __init__(self, hidden, vocab):
        super().__init__()
        self.norm = nn.LayerNorm(hidden)
        self.out = nn.Linear(hidden, vocab)

    def forward(self, h):
        return checkpoint(self.block, h)  # check: checkpoint-use-reentrant-unset

    def block(self, h):
        return self.out(self.norm(h)).log_softmax(-1)


OPTIMIZERS = {"adamw": torch.optim.AdamW, "sgd": torch.optim.SGD}
SCHEDULES = {
    "cosine": torch.optim.lr_scheduler.CosineAnnealingLR,
    "plateau": torch.optim.lr_scheduler.ReduceLROnPlateau,
}


def make_optimizer(cfg, params):
    return OPTIMIZERS[cfg["name"]](params, **cfg["options"])


def perplexity(model, loader, device):
    model.eval()  # check: train-mode-not-restored
    losses = []
    for ids in loader:
        ids = ids.to(device)
        losses.append(model(ids, labels=ids).loss)  # check: validation-records-gradients; loss-keeps-graph
    return math.exp(torch.stack(losses).mean())


def main(path):
    cfg = yaml.safe_load(open(path))
    device = torch.device(cfg.get("device", "cuda"))
    tokenizer = AutoTokenizer.from_pretrained(cfg["model"])
    model = AutoModelForCausalLM.from_pretrained(cfg["model"]).to(device)
    optimizer = make_optimizer(cfg["optimizer"], model.parameters())
    inject(model, {"q_proj", "v_proj"})  # check: parameters-not-optimized (made after the optimizer)
    only_lora(model)
    data = Instructions(cfg["train"], tokenizer)
    collate = lambda rows: nn.utils.rnn.pad_sequence(rows, batch_first=True)  # noqa: E731
    loader = DataLoader(data, cfg["batch"], shuffle=True, collate_fn=collate, num_workers=4)
    val = DataLoader(Instructions(cfg["val"], tokenizer), cfg["batch"], collate_fn=collate)
    scheduler = SCHEDULES["cosine"](optimizer, cfg["epochs"] * len(loader) // cfg["accumulate"])
    model.train()
    for epoch in range(cfg["epochs"]):
        for step, ids in enumerate(loader):
            ids = ids.to(device)
            with torch.autocast("cuda", dtype=torch.bfloat16):
                logits = model(ids).logits
                loss = F.cross_entropy(logits[:, :-1].flatten(0, 1).softmax(-1), ids[:, 1:].flatten())  # check: softmax-before-cross-entropy
                loss.backward()  # check: accumulation-unscaled
            if (step + 1) % cfg["accumulate"] == 0:
                scheduler.step()  # check: scheduler-before-optimizer
                optimizer.step()
                optimizer.zero_grad()
        print(epoch, perplexity(model, val, device))
    torch.save({k: v for k, v in model.state_dict().items() if k.endswith((".a", ".b"))}, cfg["out"])


if __name__ == "__main__":
    main(sys.argv[1])
