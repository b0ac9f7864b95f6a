other = torch.tensor([[5, 1, 7, PAD, PAD], [8, 1, 3, 4, PAD]])
assert torch.equal(out[:, 0], layer(embedding(other), src_key_padding_mask=real)[:, 0])
right = layer(embedding(tokens), src_key_padding_mask=~real)
assert not torch.allclose(right[:, 0], layer(embedding(other), src_key_padding_mask=~real)[:, 0])
