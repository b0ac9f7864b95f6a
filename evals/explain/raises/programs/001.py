# argument: nodes[-2]
import torch
from torch.fx.experimental.migrate_gradual_types.constraint_generator import (
    transpose_inference_rule,
)


class Step(torch.nn.Module):
    def forward(self, x):
        return x.transpose(0, x.size(0))


def infer(module):
    nodes = list(torch.fx.symbolic_trace(module).graph.nodes)
    return transpose_inference_rule(nodes[-2], {}, {}, 0)


infer(Step())
