assert loss > 3
