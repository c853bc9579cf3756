"""The route of a service and its path: JSONPaths as client-go finds them in the operator's structures, and values as Go prints them."""
