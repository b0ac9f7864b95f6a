"""Slot attention: weights are normalized over the slots, as they are to be, then over the inputs."""

import torch
from digest import show
from torch import nn


class SlotAttention(nn.Module):
    def __init__(self, slots=3, dim=16, iterations=3):
        super().__init__()
        self.slots, self.iterations, self.scale = slots, iterations, dim**-0.5
        self.mu = nn.Parameter(torch.randn(1, 1, dim))
        self.log_sigma = nn.Parameter(torch.zeros(1, 1, dim))
        self.to_q, self.to_k, self.to_v = (nn.Linear(dim, dim, bias=False) for _ in range(3))
        self.gru = nn.GRUCell(dim, dim)
        self.norm_in, self.norm_slots = nn.LayerNorm(dim), nn.LayerNorm(dim)

    def forward(self, inputs):
        b, _, d = inputs.shape
        noise = torch.randn(b, self.slots, d)
        slots = self.mu + self.log_sigma.exp() * noise
        inputs = self.norm_in(inputs)
        k, v = self.to_k(inputs), self.to_v(inputs)
        for _ in range(self.iterations):
            q = self.to_q(self.norm_slots(slots))
            attention = torch.softmax(torch.einsum("bid,bjd->bij", q, k) * self.scale, dim=1)
            attention = attention + 1e-8
            attention = attention / attention.sum(dim=-1, keepdim=True)
            updates = torch.einsum("bij,bjd->bid", attention, v)
            slots = self.gru(updates.reshape(-1, d), slots.reshape(-1, d)).view(b, -1, d)
        return slots


class SetModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 16))
        self.slots = SlotAttention()
        self.point = nn.Linear(16, 2)

    def forward(self, x):
        return self.point(self.slots(self.embed(x)))


torch.manual_seed(0)
model = SetModel()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
for step in range(80):
    centres = torch.rand(32, 3, 2) * 4 - 2
    points = centres.repeat_interleave(6, 1) + 0.1 * torch.randn(32, 18, 2)
    distance = torch.cdist(model(points), centres)
    loss = distance.min(1).values.mean() + distance.min(2).values.mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 20 == 0:
        print(step, f"{loss.item():.3f}")
show(model)
