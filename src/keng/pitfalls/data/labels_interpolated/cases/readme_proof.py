assert set(small.long().unique().tolist()) > {0, 3}
