assert loader.batch_size == 2 and args.batch_size == 4
