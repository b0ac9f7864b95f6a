# an autoencoder of standardized images that ends in a sigmoid
import torch
from torch import nn


class Autoencoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Flatten(), nn.Linear(64, 16), nn.ReLU())
        self.decoder = nn.Linear(16, 64)

    def forward(self, images):
        return torch.sigmoid(self.decoder(self.encoder(images))).view(images.shape)


torch.manual_seed(0)
images = torch.randn(256, 1, 8, 8)
model = Autoencoder()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
criterion = nn.SmoothL1Loss()
for epoch in range(4):
    for batch in images.split(32):
        loss = criterion(model(batch), batch)  # run: are outside of
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
