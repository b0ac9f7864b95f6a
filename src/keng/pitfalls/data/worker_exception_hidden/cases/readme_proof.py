assert told == "Caught KeyError in DataLoader worker process 0."
