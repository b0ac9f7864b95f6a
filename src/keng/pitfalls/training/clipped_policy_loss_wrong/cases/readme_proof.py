assert (ratio == 1).all()
