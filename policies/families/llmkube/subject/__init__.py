"""What rules and predictions look at: the objects as they are read, what they refer to, and a service with all that is known of it.

Nothing in here says how the operator goes on; `service` asks `predictions` for that, once for all rules of a request.
"""
