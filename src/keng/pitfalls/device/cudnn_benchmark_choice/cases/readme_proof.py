assert torch.backends.cudnn.deterministic and torch.backends.cudnn.benchmark
