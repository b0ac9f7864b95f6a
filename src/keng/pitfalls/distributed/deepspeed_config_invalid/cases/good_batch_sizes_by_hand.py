# the three batch numbers of DeepSpeed contradict each other
# needs: DeepSpeed
import torch

config = {"train_micro_batch_size_per_gpu": 4, "gradient_accumulation_steps": 8}
model = torch.nn.Linear(4, 2)
