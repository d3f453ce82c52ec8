"""Tables and plots of finished cells, beside those of the paper."""
