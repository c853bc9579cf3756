"""A live cluster: how it is read and watched, and how the webhooks are registered.

Only `kubernetes_api` uses the Kubernetes client. `reflector` watches one kind and `live_facts` combines all kinds; `snapshot`
reads them once. `registration` has the webhook configurations, and `permissions` the roles for reading.
"""
