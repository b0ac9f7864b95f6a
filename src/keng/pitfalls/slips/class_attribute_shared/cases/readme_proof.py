assert loss.item() == 30.0
