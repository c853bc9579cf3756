"""The pods of a service: its components merged with the runtime's, and the objects that OME creates for them."""
