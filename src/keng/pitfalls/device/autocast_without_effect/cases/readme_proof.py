assert out.dtype is torch.float32
