# a mask of two places
from torch.nn.attention.flex_attention import create_block_mask


def causal(q, k):
    return q >= k


mask = create_block_mask(causal, 1, 1, 128, 128, device="cpu")  # run: `b, h, q_idx, kv_idx`
