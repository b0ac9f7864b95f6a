"""Fine-tune a UNet, after the style of the diffusers examples."""
import argparse
import logging
import math
import os

import torch
import torch.nn.functional as F
from accelerate import Accelerator
from accelerate.utils import set_seed
from diffusers import DDPMScheduler, UNet2DModel
from diffusers.optimization import get_scheduler
from torch.utils.data import DataLoader
from torchvision import datasets, transforms
from tqdm.auto import tqdm

logger = logging.getLogger(__name__)


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--output_dir", default="ddpm")
    parser.add_argument("--train_batch_size", type=int, default=16)
    parser.add_argument("--num_epochs", type=int, default=100)
    parser.add_argument("--gradient_accumulation_steps", type=int, default=1)
    parser.add_argument("--learning_rate", type=float, default=1e-4)
    parser.add_argument("--seed", type=int, default=None)
    return parser.parse_args()


def main(args):
    accelerator = Accelerator(gradient_accumulation_steps=args.gradient_accumulation_steps)
    if args.seed is not None:
        set_seed(args.seed)
    model = UNet2DModel(sample_size=64, in_channels=3, out_channels=3)
    noise_scheduler = DDPMScheduler(num_train_timesteps=1000)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.learning_rate)
    augment = transforms.Compose([
        transforms.Resize(64),
        transforms.ToTensor(),
        transforms.RandomHorizontalFlip(),
        transforms.Normalize([0.5], [0.5]),
    ])
    dataset = datasets.ImageFolder("flowers", transform=augment)
    loader = DataLoader(dataset, batch_size=args.train_batch_size, shuffle=True)
    lr_scheduler = get_scheduler("cosine", optimizer, 500, len(loader) * args.num_epochs)
    model, optimizer, loader, lr_scheduler = accelerator.prepare(model, optimizer, loader, lr_scheduler)
    logger.info("in channels: %d", model.config.in_channels)  # check: wrapped-module-attribute

    step = 0
    train_loss = 0.0
    for epoch in range(args.num_epochs):
        model.train()
        for images, _ in tqdm(loader, disable=not accelerator.is_local_main_process):
            noise = torch.randn_like(images)
            timesteps = torch.randint(0, 1000, (images.shape[0],), device=images.device)
            noisy = noise_scheduler.add_noise(images, noise, timesteps)
            with accelerator.accumulate(model):
                pred = model(noisy, timesteps).sample
                loss = F.mse_loss(pred, noise)
                loss.backward()  # check: amp-order or accumulation-unscaled (past the accelerator)
                accelerator.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                lr_scheduler.step()
                optimizer.zero_grad()
            train_loss += loss  # check: loss-keeps-graph
            step += 1
        if accelerator.is_main_process:
            losses = accelerator.gather(loss)  # check: collective-on-one-rank; last-round-used
            logger.info("epoch %d: %.4f", epoch, losses.mean().item())
        torch.save(accelerator.unwrap_model(model).state_dict(), os.path.join(args.output_dir, "unet.pt"))  # check: saved-on-every-rank
    accelerator.end_training()


if __name__ == "__main__":
    main(parse_args())
