"""Actors with seeds of their own send what they have seen to the learner, which sends its weights back."""

import torch
import torch.distributed as dist
from torch import nn

OBS, ACTIONS, HORIZON = 5, 3, 40


def roll_out(policy, g):
    obs = torch.randn(HORIZON, OBS, generator=g)
    with torch.no_grad():
        action = torch.multinomial(policy(obs).softmax(-1), 1, generator=g)
    reward = obs.gather(1, action)
    return torch.cat([obs, action.float(), reward], 1)


def learn(policy, optimizer, rows):
    obs, action, reward = rows[:, :OBS], rows[:, OBS].long(), rows[:, OBS + 1]
    logp = policy(obs).log_softmax(-1).gather(1, action[:, None]).squeeze(1)
    loss = -(logp * (reward - reward.mean())).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def main():
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    policy = nn.Sequential(nn.Linear(OBS, 32), nn.Tanh(), nn.Linear(32, ACTIONS))
    optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2) if rank == 0 else None
    g = torch.Generator().manual_seed(900 + rank)
    for iteration in range(25):
        for p in policy.parameters():
            dist.broadcast(p.data, src=0)
        rows = roll_out(policy, g)
        parts = [torch.empty_like(rows) for _ in range(world)] if rank == 0 else None
        dist.gather(rows, parts, dst=0)
        if rank == 0:
            learn(policy, optimizer, torch.cat(parts))
            if iteration % 8 == 0:
                print(iteration, rows[:, -1].mean().item())
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
