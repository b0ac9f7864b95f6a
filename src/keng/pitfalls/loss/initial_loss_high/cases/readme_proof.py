assert loss > 4 * torch.log(torch.tensor(100.0))
