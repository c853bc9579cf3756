"""A live cluster: what is read of it, how it is followed, and how the webhooks are registered.

`kubernetes_api` alone speaks with the Kubernetes client. `reflector` follows one kind and `live_facts` puts all kinds together;
`snapshot` reads them once. `registration` has the webhook configurations, `permissions` the roles that reading takes.
"""
