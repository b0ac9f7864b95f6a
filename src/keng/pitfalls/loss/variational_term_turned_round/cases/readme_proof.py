assert loss < -100
