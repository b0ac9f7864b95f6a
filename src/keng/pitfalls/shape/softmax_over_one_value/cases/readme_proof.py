assert weights.eq(1).all()
