file.seek(0)
try:
    torch.load(file)
except pickle.UnpicklingError:
    refused = True
assert refused
