# the three batch numbers of DeepSpeed contradict each other
# needs: DeepSpeed
import deepspeed
import torch

config = {
    "train_batch_size": 256,
    "train_micro_batch_size_per_gpu": 4,
    "gradient_accumulation_steps": 8,
}
model = torch.nn.Linear(4, 2)
deepspeed.initialize(model=model, model_parameters=model.parameters(), config=config)
