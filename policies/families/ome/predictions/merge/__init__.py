"""The pods of a service: its components merged with the runtime's, and what OME makes of them."""
