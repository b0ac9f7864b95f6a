assert torch.backends.cuda.matmul.fp32_precision == "tf32"
