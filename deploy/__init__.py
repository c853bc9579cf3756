"""What a cluster is given: the image, and the permissions."""
