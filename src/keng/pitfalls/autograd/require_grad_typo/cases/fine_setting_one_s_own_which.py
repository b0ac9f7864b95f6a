# an attribute of the program, which is read
import torch


class Settings:
    def __init__(self):
        self.require_grad = True


settings = Settings()
x = torch.ones(3, requires_grad=settings.require_grad)
