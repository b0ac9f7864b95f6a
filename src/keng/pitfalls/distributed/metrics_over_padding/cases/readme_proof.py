assert seen == 6 and len(data) == 5
