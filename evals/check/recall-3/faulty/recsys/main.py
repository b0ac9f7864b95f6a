import argparse

from recsys.config import Config
from recsys.data.movielens import loaders
from recsys.engine.trainer import Trainer
from recsys.models import build_model


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", default="data/ml-1m")
    parser.add_argument("--model", default="ncf")
    args = parser.parse_args()
    cfg = Config()
    trainer = Trainer(build_model(args.model, cfg), cfg)
    trainer.fit(*loaders(cfg, args.root))


if __name__ == "__main__":
    main()
