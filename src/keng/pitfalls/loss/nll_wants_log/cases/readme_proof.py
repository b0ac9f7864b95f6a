assert loss < -1
