import random
from dataclasses import dataclass

import gymnasium as gym
import numpy as np
import torch
import torch.nn as nn
import tyro
from torch.distributions import Categorical
from torch.utils.tensorboard import SummaryWriter


@dataclass
class Args:
    env_id: str = "LunarLander-v2"
    seed: int = 1
    learning_rate: float = 2.5e-4
    num_envs: int = 8
    num_steps: int = 128
    total_timesteps: int = 500000
    gamma: float = 0.99
    gae_lambda: float = 0.95
    clip_coef: float = 0.2
    ent_coef: float = 0.01
    vf_coef: float = 0.5
    max_grad_norm: float = 0.5
    update_epochs: int = 4
    num_minibatches: int = 4
    icm_beta: float = 0.2


class Agent(nn.Module):
    def __init__(self, envs):
        super().__init__()
        n = int(np.prod(envs.single_observation_space.shape))
        self.critic = nn.Sequential(nn.Linear(n, 64), nn.Tanh(), nn.Linear(64, 1))
        self.actor = nn.Sequential(nn.Linear(n, 64), nn.Tanh(), nn.Linear(64, envs.single_action_space.n), nn.Softmax())  # check: softmax-dim-missing

    def get_value(self, x):
        return self.critic(x)

    def get_action_and_value(self, x, action=None):
        dist = Categorical(logits=self.actor(x))  # check: probabilities-as-logits
        if action is None:
            action = dist.sample()
        return action, dist.log_prob(action), dist.entropy(), self.critic(x)


class Curiosity(nn.Module):
    """Predicts the next observation; its error is a reward of its own."""

    def __init__(self, n, actions):
        super().__init__()
        self.heads = {"forward": nn.Linear(n + actions, n), "inverse": nn.Linear(2 * n, actions)}  # check: module-not-registered
        self.log = []

    def forward(self, obs, action, nxt):
        one_hot = nn.functional.one_hot(action, 4).float()
        guess = self.heads["forward"](torch.cat([obs, one_hot], -1))
        error = (guess - nxt).pow(2).mean(-1)
        self.log.append(error.mean())  # check: loss-keeps-graph
        return error


if __name__ == "__main__":
    args = tyro.cli(Args)
    writer = SummaryWriter(f"runs/{args.env_id}")
    random.seed(args.seed)
    np.random.seed(args.seed)
    torch.manual_seed(args.seed)
    torch.backends.cudnn.benchmark = True  # check: cudnn-benchmark-choice
    torch.backends.cudnn.deterministic = True
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

    envs = gym.vector.SyncVectorEnv([lambda: gym.make(args.env_id) for _ in range(args.num_envs)])
    agent = Agent(envs).to(device)
    curiosity = Curiosity(8, 4).to(device)
    optimizer = torch.optim.Adam(agent.parameters(), lr=args.learning_rate, eps=1e-5)
    icm_optimizer = torch.optim.Adam(agent.parameters(), lr=1e-3)  # check: parameters-not-optimized or optimizers-overlap (the curiosity's are meant)

    obs = torch.zeros((args.num_steps, args.num_envs, 8), device=device)
    actions = torch.zeros((args.num_steps, args.num_envs), device=device)
    logprobs = torch.zeros((args.num_steps, args.num_envs), device=device)
    rewards = torch.zeros((args.num_steps, args.num_envs), device=device)
    dones = torch.zeros((args.num_steps, args.num_envs), device=device)
    values = torch.zeros((args.num_steps, args.num_envs), device=device)

    next_obs = torch.Tensor(envs.reset(seed=args.seed)[0]).to(device)
    next_done = torch.zeros(args.num_envs, device=device)
    batch = args.num_envs * args.num_steps
    for update in range(args.total_timesteps // batch):
        for step in range(args.num_steps):
            obs[step], dones[step] = next_obs, next_done
            action, logprob, _, value = agent.get_action_and_value(next_obs)  # check: loss-keeps-graph (a rollout without no_grad: the values written keep their graphs)
            values[step] = value.flatten()
            actions[step] = action
            logprobs[step] = logprob
            reached, reward, ended, cut, _ = envs.step(action.cpu().numpy())
            next_done = torch.Tensor(np.logical_or(ended, cut)).to(device)
            intrinsic = curiosity(next_obs, action, torch.Tensor(reached).to(device))
            rewards[step] = torch.tensor(reward, device=device).view(-1) + args.icm_beta * intrinsic.detach()
            next_obs = torch.Tensor(reached).to(device)
            icm_loss = intrinsic.mean()
            icm_loss.backward()
            icm_optimizer.step()
            icm_optimizer.zero_grad()

        with torch.no_grad():
            next_value = agent.get_value(next_obs).reshape(1, -1)
            advantages = torch.zeros_like(rewards).to(device)
            last = 0
            for t in reversed(range(args.num_steps)):
                alive = 1.0 - (next_done if t == args.num_steps - 1 else dones[t + 1])
                following = next_value if t == args.num_steps - 1 else values[t + 1]
                delta = rewards[t] + args.gamma * following * alive - values[t]
                advantages[t] = last = delta + args.gamma * args.gae_lambda * alive * last
            returns = advantages + values

        flat = [x.reshape(batch, *x.shape[2:]) for x in (obs, actions, logprobs, advantages, returns)]
        for epoch in range(args.update_epochs):
            for index in torch.randperm(batch, device=device).chunk(args.num_minibatches):
                o, a, old, adv, ret = (x[index] for x in flat)
                _, new, entropy, value = agent.get_action_and_value(o, a.long())
                ratio = (new - old).exp()
                adv = (adv - adv.mean()) / (adv.std() + 1e-8)
                policy = torch.max(-adv * ratio, -adv * ratio.clamp(1 - args.clip_coef, 1 + args.clip_coef)).mean()
                value_loss = nn.functional.mse_loss(value, ret)  # check: loss-broadcasts (critic's [n, 1] against [n])
                loss = policy - args.ent_coef * entropy.mean() + args.vf_coef * value_loss
                optimizer.zero_grad()
                nn.utils.clip_grad_norm_(agent.parameters(), args.max_grad_norm)  # check: clipped-too-late or clipped-to-nothing (before there are gradients)
                loss.backward()  # check: backward-twice
                optimizer.step()
        writer.add_scalar("loss", loss.item(), update)
    torch.save(agent, "agent.pt")  # check: whole-model-pickled
