"""`weighbridge init`: what it finds in a repository, and the files that it writes."""
