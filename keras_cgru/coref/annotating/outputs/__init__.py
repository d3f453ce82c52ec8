"""What a run writes: parts that survive a kill, and the files made of them."""
