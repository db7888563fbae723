"""Settings: what can be changed in WebSphere and IBM MQ, and how each change is said in the products' own languages."""
