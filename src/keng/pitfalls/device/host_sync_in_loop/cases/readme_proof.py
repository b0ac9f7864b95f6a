import warnings

with warnings.catch_warnings(record=True) as waits:
    warnings.simplefilter("always")
    torch.cuda.set_sync_debug_mode("warn")
    [p.grad.norm().item() for p in model.parameters()]
    torch.cuda.set_sync_debug_mode("default")
assert len(waits) >= 4
