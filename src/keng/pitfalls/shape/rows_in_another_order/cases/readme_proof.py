right = hidden[:, None].repeat(1, steps, 1).repeat_interleave(heads, dim=0)
assert not torch.equal(mask, right)
with torch.no_grad():
    expected, _ = attention(x, x, x, attn_mask=right)
    each, _ = attention(x[:1], x[:1], x[:1], key_padding_mask=hidden[:1])
assert torch.allclose(expected[:1], each, atol=1e-6)
assert not torch.allclose(out[:1], each, atol=1e-3)
