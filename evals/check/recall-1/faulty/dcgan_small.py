import torch
import torch.nn as nn

nz, ngf, B = 32, 16, 20
device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")


class Generator(nn.Module):
    def __init__(self):
        super(Generator, self).__init__()
        self.main = nn.Sequential(
            nn.ConvTranspose2d(nz, ngf * 2, 4, 1, 0, bias=False), nn.BatchNorm2d(ngf * 2), nn.ReLU(True),
            nn.ConvTranspose2d(ngf * 2, ngf, 4, 2, 1, bias=False), nn.BatchNorm2d(ngf), nn.ReLU(True),
            nn.ConvTranspose2d(ngf, 1, 4, 2, 1, bias=False), nn.Tanh())

    def forward(self, z):
        return self.main(z)


class Discriminator(nn.Module):
    def __init__(self):
        super(Discriminator, self).__init__()
        self.main = nn.Sequential(
            nn.Conv2d(1, ngf, 4, 2, 1), nn.LeakyReLU(0.2),
            nn.Conv2d(ngf, ngf * 2, 4, 2, 1, bias=False), nn.BatchNorm2d(ngf * 2), nn.LeakyReLU(0.2),
            nn.Conv2d(ngf * 2, 1, 4, 1, 0))

    def forward(self, img):
        return self.main(img).view(-1)


netG, netD = Generator().to(device), Discriminator().to(device)
criterion = nn.BCELoss()
optD = torch.optim.Adam(netD.parameters(), lr=2e-4, betas=(0.5, 0.999))
optG = torch.optim.Adam(netG.parameters(), lr=2e-4, betas=(0.5, 0.999))
real_images = torch.rand(200, 1, 16, 16) * 2 - 1

for step in range(10):
    real = real_images[torch.randint(0, 200, (B,))].to(device)
    netD.zero_grad()
    errD_real = criterion(netD(real), torch.ones(B, device=device))  # check: bce-wants-probabilities
    fake = netG(torch.randn(B, nz, 1, 1, device=device))
    errD_fake = criterion(netD(fake), torch.zeros(B, device=device))  # check: bce-wants-probabilities or gradient-leaks-into-frozen or backward-twice
    errD = errD_real + errD_fake
    errD.backward()
    optD.step()

    netG.zero_grad()
    errG = criterion(netD(fake), torch.ones(B, device=device))  # check: bce-wants-probabilities (not planted)
    errG.backward()  # check: backward-twice
    optG.step()
