import argparse

import torch
import torch.nn as nn


def build(args):
    layer = nn.TransformerEncoderLayer(args.d_model, args.nhead, 4 * args.d_model, batch_first=True)
    return nn.TransformerEncoder(layer, args.layers)


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--d-model", type=int, default=130)
    parser.add_argument("--nhead", type=int, default=4)
    parser.add_argument("--layers", type=int, default=2)
    return parser.parse_args()


def main():
    args = parse()
    encoder = build(args)
    x = torch.randn(2, 15, args.d_model)
    print(encoder(x).shape)


if __name__ == "__main__":
    main()
