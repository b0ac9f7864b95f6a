assert traced(-torch.ones(2)).tolist() != Sign()(-torch.ones(2)).tolist()
