assert not shown
