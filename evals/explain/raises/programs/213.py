# argument: backend
from torch.ao.quantization import get_default_qconfig


def configure(model, backend="cuda"):
    model.qconfig = get_default_qconfig(backend)


class Model:
    pass


configure(Model())
