assert first.tolist() == second.tolist()
