# the parser declares one name and the program reads another
import argparse

import torch


def main(arguments):
    parser = argparse.ArgumentParser()
    parser.add_argument("--gamma", default=0.1, type=float)
    parser.add_argument("--stepsize", default=0, type=int)
    args = parser.parse_args(arguments)
    optimizer = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=0.1)
    if args.stepsize > 0:
        return torch.optim.lr_scheduler.StepLR(optimizer, args.stepsize, gamma=args.lr_gamma)  # check: no option `lr_gamma`
    return optimizer, args.gamma


main([])

# proof
try:
    main(["--stepsize", "2"])
except AttributeError:
    pass
else:
    raise AssertionError("it has the option")
