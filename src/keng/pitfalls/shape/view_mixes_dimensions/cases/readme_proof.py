assert not torch.equal(viewed, scores.transpose(1, 2))
