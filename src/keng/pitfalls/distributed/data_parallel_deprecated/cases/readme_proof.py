assert isinstance(model, nn.DataParallel)
