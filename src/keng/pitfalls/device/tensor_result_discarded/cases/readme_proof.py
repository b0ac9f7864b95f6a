assert x.dtype is torch.int64 and x.dim() == 2
