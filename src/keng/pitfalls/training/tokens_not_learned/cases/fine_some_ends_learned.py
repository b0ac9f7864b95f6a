# prompt ends that are not learned while answer ends are; ends that are padding; masked language modeling
# ends of prompts that are not learned, where those of answers are; ends that are padding; masked words
import torch
from transformers import GPT2Config, GPT2LMHeadModel

torch.manual_seed(0)
END = 1


def train(make):
    model = GPT2LMHeadModel(GPT2Config(vocab_size=32, n_embd=16, n_layer=1, n_head=2, eos_token_id=END, bos_token_id=0))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for _ in range(12):
        ids, mask = torch.randint(2, 32, (4, 10)), torch.ones(4, 10, dtype=torch.long)
        ids, labels = make(ids, mask)
        optimizer.zero_grad()
        model(input_ids=ids, attention_mask=mask, labels=labels).loss.backward()
        optimizer.step()


def turns(ids, mask):
    ids[:, 4], ids[:, 9] = END, END
    labels = ids.clone()
    labels[:, :5] = -100
    return ids, labels


def padded(ids, mask):
    ids[:, 7:], mask[:, 7:] = END, 0
    return ids, ids.masked_fill(mask == 0, -100)


def masked(ids, mask):
    ids[:, 9] = END
    hidden = torch.rand(4, 10) < 0.3
    hidden[:, 9] = False
    return ids.masked_fill(hidden, 2), ids.masked_fill(~hidden, -100)


for kind in (turns, padded, masked):
    train(kind)
