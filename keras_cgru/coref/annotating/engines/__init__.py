"""Who does the work: the cores of this machine, or a Ray cluster."""
