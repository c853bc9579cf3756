"""The objects that rules and predictions read, the objects to which they refer, and a service with all its known facts.

Most rules get a service or a Model, which compute the prediction once for all rules on a request.
"""
