assert log_p.isinf().any()
