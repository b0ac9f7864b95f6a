# strict loading, unknown `strict`, selected entries, a scheduler's own method
from torch import nn

model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
state = model.state_dict()


def load(model, state, strict=True):
    model.load_state_dict(state, strict=strict)


class Registry:
    def load_state_dict(self, state, strict):
        self.state = state


load(model, state)
model.load_state_dict(state)
Registry().load_state_dict(state, strict=False)
own = model.state_dict()
fitting = {k: v for k, v in state.items() if k in own and v.shape == own[k].shape}
model.load_state_dict(fitting, strict=False)
filled = {}
for key, value in state.items():
    filled[key] = value.clone()
model.load_state_dict(filled, strict=False)
model.load_state_dict({"0.weight": state["0.weight"]}, strict=False)
