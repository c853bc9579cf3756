"""The engine: it gives the verdict on a request by the facts and the configuration. It does no input or output."""
