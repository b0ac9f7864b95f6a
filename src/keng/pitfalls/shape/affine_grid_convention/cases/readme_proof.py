assert not torch.allclose(warped, images), "the identity changes the image"
