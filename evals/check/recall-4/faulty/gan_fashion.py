import os

import torch
import torch.nn as nn
from torchvision import datasets, transforms
from torchvision.utils import save_image

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
latent_size, hidden_size, image_size, num_epochs, batch_size = 64, 256, 784, 200, 100
sample_dir = "samples"
os.makedirs(sample_dir, exist_ok=True)
mnist = datasets.FashionMNIST(
    "data",
    train=True,
    download=True,
    transform=transforms.Compose([transforms.ToTensor(), transforms.Normalize(mean=[0.5], std=[0.5])]),
)
data_loader = torch.utils.data.DataLoader(mnist, batch_size=batch_size, shuffle=True)

D = nn.Sequential(
    nn.Linear(image_size, hidden_size), nn.LeakyReLU(0.2), nn.Linear(hidden_size, 1), nn.Sigmoid()
).to(device)
G = nn.Sequential(
    nn.Linear(latent_size, hidden_size), nn.ReLU(), nn.Linear(hidden_size, image_size), nn.Tanh()
).to(device)
criterion = nn.BCELoss()
d_optimizer = torch.optim.Adam(D.parameters(), lr=0.0002)
g_optimizer = torch.optim.Adam(G.parameters(), lr=0.0002)


def denorm(x):
    return ((x + 1) / 2).clamp(0, 1)


def reset_grad():
    d_optimizer.zero_grad()
    g_optimizer.zero_grad()


d_hist, g_hist = [], []
for epoch in range(num_epochs):
    for i, (images, _) in enumerate(data_loader):
        images = images.reshape(batch_size, -1).to(device)
        real_labels = torch.ones(batch_size, 1).to(device)
        fake_labels = torch.zeros(batch_size, 1).to(device)

        outputs = D(images)
        d_loss_real = criterion(outputs, real_labels)
        real_score = outputs
        z = torch.randn(batch_size, latent_size).to(device)
        fake_images = G(z)
        outputs = D(fake_images)  # check: gradient-leaks-into-frozen (a backward in vain; cleared before it does harm)
        d_loss_fake = criterion(outputs, fake_labels)
        d_loss = d_loss_real + d_loss_fake
        reset_grad()
        d_loss.backward()
        d_optimizer.step()

        z = torch.randn(batch_size, latent_size).to(device)
        fake_images = G(z)
        outputs = D(fake_images)
        g_loss = criterion(outputs, real_labels)
        reset_grad()
        g_loss.backward()
        g_optimizer.step()

        d_hist.append(d_loss.item())
        g_hist.append(g_loss.detach().cpu())
        if (i + 1) % 200 == 0:
            print(f"[{epoch}/{num_epochs}] d {d_loss.item():.4f} g {g_loss.item():.4f} {real_score.mean().item():.2f}")
    save_image(denorm(fake_images.detach().view(-1, 1, 28, 28)), f"{sample_dir}/fake-{epoch + 1}.png")

torch.save(G.state_dict(), "G.ckpt")
torch.save(D.state_dict(), "D.ckpt")
