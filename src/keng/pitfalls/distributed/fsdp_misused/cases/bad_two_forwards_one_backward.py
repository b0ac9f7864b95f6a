# under FSDP a forward and its backward do not come in pairs
# needs: several cards
def step(model, first, second):  # model is FullyShardedDataParallel
    one = model(first).mean()
    other = model(second).mean()  # a second forward before the first backward
    one.backward()
    other.backward()
