"""Two teams of two ranks: the first of a team encodes its context, and both classify with it and a common head."""

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.nn.functional import broadcast
from torch.nn import functional as F

CONTEXT, FEATURES, KINDS = 12, 8, 4


def make_data(team, count=800):
    mix = torch.randn(CONTEXT, FEATURES * KINDS, generator=torch.Generator().manual_seed(30 + team))
    generator = torch.Generator().manual_seed(1 + team)
    context = torch.randn(count, CONTEXT, generator=generator)
    features = torch.randn(count, 2, FEATURES, generator=generator)
    weights = (context @ mix).view(count, KINDS, FEATURES)
    return context, features, torch.einsum("nkf,nrf->nrk", weights, features).argmax(2)


class ContextEncoder(nn.Module):
    def __init__(self, hidden=64):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(CONTEXT, hidden), nn.ReLU(), nn.Linear(hidden, FEATURES * KINDS))

    def forward(self, context):
        return self.net(context)


class Team:
    def __init__(self):
        rank = dist.get_rank()
        self.number, self.place = divmod(rank, 2)
        groups = [dist.new_group([0, 1]), dist.new_group([2, 3])]
        self.group, self.leader = groups[self.number], 2 * self.number

    def context(self, encoder, context):
        """The code of the context, which the leader of the team has computed."""
        code = encoder(context) if self.place == 0 else torch.zeros(len(context), FEATURES * KINDS, requires_grad=True)
        return broadcast(code, self.leader, group=self.group)  # any: -


def average(module):
    for p in module.parameters():
        dist.all_reduce(p.grad)
        p.grad /= dist.get_world_size()


def main():
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    team = Team()
    torch.manual_seed(2)
    encoder, head = ContextEncoder(), nn.Linear(KINDS, KINDS)
    parameters = list(head.parameters()) + (list(encoder.parameters()) if team.place == 0 else [])
    optimizer = torch.optim.Adam(parameters, lr=4e-3)
    context, features, labels = make_data(team.number)
    features, labels = features[:, team.place], labels[:, team.place]
    norms = 0.0
    for epoch in range(10):
        for index in torch.randperm(700, generator=torch.Generator().manual_seed(epoch)).split(50):
            code = team.context(encoder, context[index]).view(-1, KINDS, FEATURES)
            logits = head(torch.einsum("nkf,nf->nk", code, features[index]))
            loss = F.cross_entropy(logits, labels[index])
            optimizer.zero_grad()
            loss.backward()
            if team.place == 0:
                norms = encoder.net[0].weight.grad.norm().item()
            average(head)
            optimizer.step()
        with torch.no_grad():
            code = team.context(encoder, context[700:]).view(-1, KINDS, FEATURES)
            right = (head(torch.einsum("nkf,nf->nk", code, features[700:])).argmax(1) == labels[700:]).float().mean()
        rights = [torch.empty(()) for _ in range(world)]
        dist.all_gather(rights, right)
        if rank == 0 and epoch % 3 == 0:
            print(f"epoch {epoch} loss {loss.item():.4f} accuracy of each rank", [round(r.item(), 3) for r in rights], flush=True)
    all_norms = [None] * world
    dist.all_gather_object(all_norms, round(norms, 4))
    if rank == 0:
        print("norm of the encoder's gradient on each rank", all_norms, flush=True)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
