import torch
from diffusers import DDPMScheduler

config = {
    "num_train_timesteps": 200,
    "beta_schedule": "cosine",
    "prediction_type": "epsilon",
}


def noisy(images, steps):
    scheduler = DDPMScheduler(**config)
    noise = torch.randn_like(images)
    return scheduler.add_noise(images, noise, steps), noise


images = torch.rand(4, 3, 16, 16) * 2 - 1
print(noisy(images, torch.randint(0, 200, (4,)))[0].std())
