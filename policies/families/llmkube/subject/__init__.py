"""What rules and predictions look at: the objects as they are read, what they refer to, and a service with all that is known of it.

`service` and `model` are what most rules are given. They ask `predictions` what the operator does, once for all rules of a request.
"""
