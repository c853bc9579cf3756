"""The webhook as a server: HTTP over TLS, its limits, the two webhooks, health and metrics, from start to drain.

`process` runs it; a call goes from `protocol` through `app` to `door`, which reads it (`bodies`, `review`, `envelope`), has the engine
decide, and answers. `service` has the data that the doors share: the facts and the configuration in force, each replaced by one
assignment.
"""
