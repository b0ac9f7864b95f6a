# the good program of the page with its training
import torch
from torch import nn


class Captioner(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.cell, self.out = nn.Embedding(9, 8), nn.GRUCell(8, 8), nn.Linear(8, 9)

    def forward(self, picture, caption, *, use_teacher_forcing=True):
        state, word, scores = picture, torch.zeros_like(caption[:, 0]), []
        for true in caption.unbind(1):
            state = self.cell(self.embed(word), state)
            scores.append(self.out(state))
            word = true if use_teacher_forcing else scores[-1].argmax(-1)
        return torch.stack(scores, 1)


captioner = Captioner()
captioner.eval()
with torch.no_grad():
    picture, caption = torch.randn(4, 8), torch.randint(9, (4, 6))
    scores = captioner(picture, caption, use_teacher_forcing=False)
    words = scores.argmax(-1)
print((words == caption).float().mean())
