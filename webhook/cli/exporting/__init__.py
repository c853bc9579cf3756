"""What `weighbridge export` writes, and what it says of the rest."""
