source, target = batches[0]
alone = model(source, target, teacher_forcing_ratio=0.0).argmax(-1)
assert torch.equal(said[0][:, 0], alone[:, 0]) and not torch.equal(said[0], alone)
