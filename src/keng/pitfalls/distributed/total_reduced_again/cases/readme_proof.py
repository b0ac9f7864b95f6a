assert total.item() == 30.0, "four batches on two ranks are 8"
