"""`python -m keng` is `keng`."""

import sys

from keng.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
