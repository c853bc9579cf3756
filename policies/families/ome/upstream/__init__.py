"""What OME's own webhook for services does to an object before it is validated."""
