import importlib
import inspect

TABLES = {"net": {}, "head": {}, "loss": {}}


def register(kind):
    def decorate(cls):
        TABLES[kind][cls.__name__.lower()] = cls
        return cls

    return decorate


def build(kind, name, **options):
    if "." in name:
        module, _, name = name.rpartition(".")
        cls = getattr(importlib.import_module(module), name)
    else:
        cls = TABLES[kind][name]
    known = inspect.signature(cls).parameters
    return cls(**{k: v for k, v in options.items() if k in known})
