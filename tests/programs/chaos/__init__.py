"""What goes wrong in a cluster, one thing after the other, under load on a real control plane."""
