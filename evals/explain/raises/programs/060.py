# argument: mask_length=30
from transformers.models.wav2vec2.modeling_wav2vec2 import _compute_mask_indices


def mask(batch, steps):
    return _compute_mask_indices((batch, steps), mask_prob=0.2, mask_length=30)


mask(2, 20)
