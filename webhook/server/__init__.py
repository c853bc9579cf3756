"""The server: HTTP over TLS with limits, the two webhooks, health and metrics, from start to drain.

`process` runs it. A call comes through `connections/protocol` and `app` to `door`, which reads it (`bodies`, `review`, `envelope`), lets
the engine decide, and answers. `service` holds the data that the doors share: the facts and the configuration in force, each replaced by
one assignment.
"""
