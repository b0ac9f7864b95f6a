assert keep.mode == "min"
