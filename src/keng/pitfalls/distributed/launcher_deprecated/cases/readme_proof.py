try:
    parser.parse_args(["--local-rank=0"])
except SystemExit as end:
    assert end.code == 2
else:
    raise AssertionError("understood")
