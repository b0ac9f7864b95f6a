class Registry(dict):
    def __init__(self, what):
        super().__init__()
        self.what = what

    def register(self, name=None):
        def keep(target):
            self[name or target.__name__] = target
            return target

        return keep

    def build(self, cfg, **more):
        cfg = dict(cfg)
        return self[cfg.pop("type")](**cfg, **more)


MODELS = Registry("model")
LOSSES = Registry("loss")
DATASETS = Registry("dataset")
