assert start == 1 and not optimizer.state
