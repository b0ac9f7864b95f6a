alone = model.generate(prompts[:1, 2:], max_new_tokens=4)
assert not torch.equal(tokens[0, 3:], alone[0, 1:])
