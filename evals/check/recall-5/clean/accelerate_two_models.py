"""A text-to-image sketch with Accelerate: one model learns, two are frozen, all of it accumulates."""
import math

import torch
import torch.nn.functional as F
from accelerate import Accelerator
from accelerate.utils import ProjectConfiguration, set_seed
from diffusers import AutoencoderKL, DDPMScheduler, UNet2DConditionModel
from diffusers.training_utils import EMAModel
from torch.utils.data import DataLoader
from transformers import CLIPTextModel


def train(dataset, args):
    accelerator = Accelerator(
        gradient_accumulation_steps=args.accumulate,
        mixed_precision="fp16",
        project_config=ProjectConfiguration(project_dir=args.out),
    )
    set_seed(args.seed, device_specific=True)
    vae = AutoencoderKL.from_pretrained(args.model, subfolder="vae")
    text = CLIPTextModel.from_pretrained(args.model, subfolder="text_encoder")
    unet = UNet2DConditionModel.from_pretrained(args.model, subfolder="unet")
    vae.requires_grad_(False)
    text.requires_grad_(False)
    unet.train()
    ema = EMAModel(unet.parameters(), model_cls=UNet2DConditionModel, model_config=unet.config)
    noise_scheduler = DDPMScheduler.from_pretrained(args.model, subfolder="scheduler")
    optimizer = torch.optim.AdamW(unet.parameters(), lr=args.lr)
    loader = DataLoader(dataset, shuffle=True, batch_size=args.batch, num_workers=4)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1.0, (step + 1) / 500))
    unet, optimizer, loader, schedule = accelerator.prepare(unet, optimizer, loader, schedule)
    vae.to(accelerator.device, dtype=torch.float16)
    text.to(accelerator.device, dtype=torch.float16)
    ema.to(accelerator.device)

    done = 0
    steps = math.ceil(len(loader) / args.accumulate)
    for epoch in range(args.epochs):
        train_loss = 0.0
        for batch in loader:
            with accelerator.accumulate(unet):
                latents = vae.encode(batch["pixels"].to(torch.float16)).latent_dist.sample() * 0.18215
                noise = torch.randn_like(latents)
                times = torch.randint(0, 1000, (latents.shape[0],), device=latents.device).long()
                noisy = noise_scheduler.add_noise(latents, noise, times)
                condition = text(batch["ids"])[0]
                guess = unet(noisy, times, condition).sample
                loss = F.mse_loss(guess.float(), noise.float(), reduction="mean")
                mean = accelerator.gather(loss.repeat(args.batch)).mean()
                train_loss += mean.item() / args.accumulate
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(unet.parameters(), 1.0)
                optimizer.step()
                schedule.step()
                optimizer.zero_grad()
            if accelerator.sync_gradients:
                ema.step(unet.parameters())
                done += 1
                accelerator.log({"loss": train_loss}, step=done)
                train_loss = 0.0
                if done % 500 == 0:
                    accelerator.save_state(f"{args.out}/{done}")
        accelerator.print(epoch, done, steps)

    accelerator.wait_for_everyone()
    if accelerator.is_main_process:
        plain = accelerator.unwrap_model(unet)
        ema.copy_to(plain.parameters())
        plain.save_pretrained(args.out)
    accelerator.end_training()
