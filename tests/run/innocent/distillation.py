"""Distillation and contrastive learning: softmax, log_softmax and cross-entropy in their right places."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
teacher, student = nn.Linear(8, 3).eval().requires_grad_(False), nn.Linear(8, 3)
encoder = nn.Linear(8, 16)
optimizer = torch.optim.Adam([*student.parameters(), *encoder.parameters()], lr=1e-3)
for step in range(20):
    x, y = torch.randn(16, 8), torch.randint(3, (16,))
    with torch.no_grad():
        soft = F.softmax(teacher(x) / 2.0, dim=1)
    logits = student(x)
    distilled = F.kl_div(F.log_softmax(logits / 2.0, dim=1), soft, reduction="batchmean") * 4.0
    hard = F.cross_entropy(logits, y)
    one, other = F.normalize(encoder(x), dim=1), F.normalize(encoder(x + 0.1), dim=1)
    contrast = F.cross_entropy(one @ other.T / 0.1, torch.arange(16))
    scores = torch.einsum("id,jd->ij", one, other)
    attention = (F.softmax(scores, dim=-1) @ other).sum()
    loss = distilled + hard + contrast + 0.01 * attention
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    predicted = logits.softmax(1).argmax(1)
