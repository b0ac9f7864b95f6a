"""Group-relative policy optimization of a tiny model, after ServiceNow/PipelineRL pull request 54."""

import torch
from digest import show
from torch import nn

VOCAB, LENGTH, GROUP = 12, 6, 8


class Writer(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(VOCAB, 24)
        self.rnn = nn.GRU(24, 48, batch_first=True)
        self.head = nn.Linear(48, VOCAB)

    def forward(self, tokens):
        return self.head(self.rnn(self.embed(tokens))[0])


@torch.no_grad()
def sample(model, prompts):
    tokens = prompts
    for _ in range(LENGTH):
        probabilities = model(tokens)[:, -1].softmax(-1)
        tokens = torch.cat([tokens, torch.multinomial(probabilities, 1)], 1)
    return tokens


def log_probs(model, tokens):
    logits = model(tokens[:, :-1])
    every = logits.log_softmax(-1).gather(-1, tokens[:, 1:, None]).squeeze(-1)
    return every[:, -LENGTH:]


def reward(tokens):
    written = tokens[:, -LENGTH:]
    return (written == tokens[:, :1]).float().sum(1)


def advantages(rewards):
    grouped = rewards.view(-1, GROUP)
    rollouts = grouped[:, :1]  # run: statistics-of-one-value
    mean, std = rollouts.mean(1, keepdim=True), rollouts.std(1, keepdim=True, unbiased=False)
    return ((grouped - mean) / (std + 1e-1)).view(-1)


torch.manual_seed(0)
model = Writer()
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
for step in range(40):
    prompts = torch.randint(0, VOCAB, (6, 1)).repeat_interleave(GROUP, 0)
    tokens = sample(model, prompts)
    scores = reward(tokens)
    adv = advantages(scores)
    with torch.no_grad():
        old = log_probs(model, tokens)
    for _ in range(2):
        ratio = (log_probs(model, tokens) - old).exp()
        clipped = ratio.clamp(0.8, 1.2)
        loss = -torch.min(ratio * adv[:, None], clipped * adv[:, None]).mean()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    if step % 10 == 0:
        print(step, f"reward {scores.mean().item():.2f}")
show(model)
