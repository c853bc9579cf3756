"""The steps of a request, and the decision that they lead to."""
