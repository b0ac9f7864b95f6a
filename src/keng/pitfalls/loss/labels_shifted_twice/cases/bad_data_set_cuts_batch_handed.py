# the data set cuts, and the batch is handed over as it is
import torch
from torch.utils.data import DataLoader, Dataset
from transformers import AutoModelForCausalLM, GPT2Config


class Blocks(Dataset):
    def __init__(self, ids, size):
        self.ids, self.size = ids, size

    def __len__(self):
        return (len(self.ids) - 1) // self.size

    def __getitem__(self, index):
        begin = index * self.size
        return {
            "input_ids": self.ids[begin : begin + self.size],
            "labels": self.ids[begin + 1 : begin + self.size + 1],
        }


device = torch.device("cpu")
config = GPT2Config(vocab_size=20, n_positions=16, n_embd=8, n_layer=1, n_head=2)
net = AutoModelForCausalLM.from_config(config).to(device)
for batch in DataLoader(Blocks(torch.randint(20, (100,)), 12), batch_size=4, shuffle=True):
    loss = net(**batch).loss  # check: the data set has moved them on
    loss.backward()

# proof
assert torch.equal(batch["input_ids"][:, 1:], batch["labels"][:, :-1])
