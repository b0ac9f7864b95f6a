# one network for both; the two swapped; a test that its body uses; a name that means left
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.net_A, self.net_B, self.enc_1 = nn.Linear(2, 2), nn.Linear(2, 2), nn.Linear(2, 2)

    def forward(self, real_A, real_B, text=None, image=None):
        fake_B = self.net_A(real_A)
        fake_A = self.net_B(real_B)
        code_1 = self.enc_1(fake_A)
        code_2 = self.enc_1(fake_B)
        score_A = self.net_A(fake_A)
        score_B = self.net_A(fake_B)
        back_A, back_B = self.net_B(fake_A), self.net_B(fake_B)
        if text is not None:
            score_A = score_A + text
        if image is not None:
            score_B = score_B + image
        return code_1 + code_2 + score_A + score_B + back_A + back_B


def exclusive(sync_buffers=None, buffers=None):
    if buffers is not None:
        if sync_buffers is not None:
            raise ValueError("one of the two")
    if sync_buffers is not None:
        buffers = sync_buffers
    return buffers


def given(frames, image_frames, use_images):
    return torch.cat([frames, image_frames]) if use_images else frames


out = Net()(torch.ones(3, 2), torch.ones(3, 2)), given(torch.ones(1), torch.ones(1), True)
