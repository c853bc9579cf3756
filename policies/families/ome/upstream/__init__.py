"""The changes that OME's own webhook for services makes to an object before it is validated."""
