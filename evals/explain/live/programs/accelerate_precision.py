import torch
from accelerate import Accelerator

settings = {"precision": "bfloat16", "accumulation": 4, "lr": 1e-3}


def prepare(settings):
    accelerator = Accelerator(
        cpu=True,
        mixed_precision=settings["precision"],
        gradient_accumulation_steps=settings["accumulation"],
    )
    model = torch.nn.Linear(4, 1)
    optimizer = torch.optim.AdamW(model.parameters(), lr=settings["lr"])
    return accelerator, *accelerator.prepare(model, optimizer)


accelerator, model, optimizer = prepare(settings)
print(accelerator.state)
