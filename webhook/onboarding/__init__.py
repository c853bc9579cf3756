"""What `weighbridge init` finds in a repository, and the files that it writes for it."""
