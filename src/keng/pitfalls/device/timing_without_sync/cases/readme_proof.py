torch.cuda.synchronize()
assert elapsed < (time.time() - start) / 2
