import json
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def load_config():
    config = [{"lr": 0.1, "width": 16}]
    if os.environ["RANK"] == "0":
        with open("config.json", "w") as file:
            json.dump(config[0], file)
        dist.broadcast_object_list(config, src=0)  # run: collective-on-one-rank or collectives-differ
    return config[0]


def main():
    dist.init_process_group("gloo")
    config = load_config()
    model = DDP(nn.Linear(config["width"], 1))  # run: collective-on-one-rank or collectives-differ
    optimizer = torch.optim.SGD(model.parameters(), lr=config["lr"])
    for _ in range(10):
        optimizer.zero_grad()
        model(torch.randn(4, config["width"])).mean().backward()
        optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
