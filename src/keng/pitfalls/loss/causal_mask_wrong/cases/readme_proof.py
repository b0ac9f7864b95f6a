changed = q.clone()
changed[..., 4, :] += 1
again = F.scaled_dot_product_attention(changed, changed, changed, attn_mask=mask)
assert not torch.allclose(out[..., 0, :], again[..., 0, :])
