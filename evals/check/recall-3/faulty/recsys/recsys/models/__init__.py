from .ncf import NCF

MODELS = {"ncf": NCF}


def build_model(name, cfg):
    return MODELS[name](cfg)
