"""Policy gradient on several ranks; gradients and weights are shared, observations are normalized."""

import torch
import torch.distributed as dist
import torch.nn as nn


class EmpiricalNormalization(nn.Module):
    def __init__(self, shape, eps=1e-2):
        super().__init__()
        self.eps = eps
        self.register_buffer("mean", torch.zeros(shape))
        self.register_buffer("var", torch.ones(shape))
        self.register_buffer("count", torch.tensor(0.0))

    def forward(self, x):
        if self.training:
            self.update(x)
        return (x - self.mean) / (self.var.sqrt() + self.eps)

    @torch.no_grad()
    def update(self, x):
        n = x.shape[0]
        self.count += n
        rate = n / self.count
        delta = x.mean(0) - self.mean
        self.mean += rate * delta  # run: averaging-by-hand-incomplete or ranks-diverge
        self.var += rate * (x.var(0) - self.var + delta * (x.mean(0) - self.mean))  # run: averaging-by-hand-incomplete or ranks-diverge


class Agent(nn.Module):
    def __init__(self, obs=6, actions=3):
        super().__init__()
        self.norm = EmpiricalNormalization(obs)
        self.actor = nn.Sequential(nn.Linear(obs, 32), nn.ELU(), nn.Linear(32, actions))
        self.critic = nn.Sequential(nn.Linear(obs, 32), nn.ELU(), nn.Linear(32, 1))

    def forward(self, obs):
        z = self.norm(obs)
        return torch.distributions.Categorical(logits=self.actor(z)), self.critic(z).squeeze(-1)


class Terrain:
    """Each rank simulates its own part of the curriculum."""

    def __init__(self, rank):
        self.offset = torch.arange(6.0) * rank
        self.g = torch.Generator().manual_seed(rank)

    def observe(self):
        return self.offset + 2 * torch.randn(64, 6, generator=self.g)

    def reward(self, obs, action):
        return (obs[:, :3] - self.offset[:3]).gather(1, action[:, None]).squeeze(1)


def reduce_parameters(agent):
    grads = torch.cat([p.grad.view(-1) for p in agent.parameters()])
    dist.all_reduce(grads, op=dist.ReduceOp.SUM)
    grads /= dist.get_world_size()
    at = 0
    for p in agent.parameters():
        p.grad.copy_(grads[at : at + p.numel()].view_as(p))  # run: averaging-by-hand-incomplete or ranks-diverge
        at += p.numel()


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(0)
    agent = Agent()
    for p in agent.parameters():
        dist.broadcast(p.data, 0)  # run: averaging-by-hand-incomplete or ranks-diverge
    optim = torch.optim.Adam(agent.parameters(), lr=1e-3)
    env = Terrain(rank)
    torch.manual_seed(1 + rank)
    for it in range(50):
        obs = env.observe()
        pi, value = agent(obs)
        action = pi.sample()
        reward = env.reward(obs, action)
        advantage = reward - value.detach()
        loss = -(pi.log_prob(action) * advantage).mean() + 0.5 * (reward - value).pow(2).mean()
        optim.zero_grad()
        loss.backward()
        reduce_parameters(agent)
        nn.utils.clip_grad_norm_(agent.parameters(), 1.0)
        optim.step()  # run: averaging-by-hand-incomplete or ranks-diverge
        if it % 10 == 0 and rank == 0:
            print(f"it {it} reward {reward.mean():.3f}")
    if rank == 0:
        torch.save(agent.state_dict(), "agent.pt")
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
