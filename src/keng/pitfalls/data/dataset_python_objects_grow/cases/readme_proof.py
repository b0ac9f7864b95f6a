assert kilobytes > 8000
