import json
import sys
from pathlib import Path

import torch
from torch.utils.data import DataLoader
from torchvision import datasets
from torchvision.models import ResNet18_Weights

from src.loop import predict, run
from src.models import Probe


def main(root, out):
    transform = ResNet18_Weights.DEFAULT.transforms()
    sets = {name: datasets.ImageFolder(f"{root}/{name}", transform) for name in ("train", "valid")}
    loaders = {name: DataLoader(s, 64, shuffle=name == "train", num_workers=4) for name, s in sets.items()}
    model = Probe(len(sets["train"].classes))
    optimizer = torch.optim.SGD((p for p in model.parameters() if p.requires_grad), lr=0.01, momentum=0.9)
    log = []
    for epoch in range(10):
        log.append({"train": run(model, loaders["train"], optimizer), "valid": run(model, loaders["valid"])})
    probabilities = predict(model, loaders["valid"])
    Path(out, "log.json").write_text(json.dumps(log))
    torch.save({"head": model.head.state_dict(), "probabilities": probabilities}, Path(out, "probe.pt"))


if __name__ == "__main__":
    main(*sys.argv[1:])
