#!/usr/bin/env bash
# What needs a GPU, on a machine that has one and PyTorch: the tests marked `cuda`.
set -u
export PYTHONPATH="$PWD/src:$PWD/.gpu:${PYTHONPATH:-}" OMP_NUM_THREADS=4
python3 -m pytest -q -p no:cacheprovider -o addopts= -rs \
    tests/run/test_run_cuda.py tests/explain/test_explain_cuda.py tests/toolbox/test_toolbox_data.py 2>&1 | tail -40
