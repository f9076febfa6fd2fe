web
| parse path with * '://' user '@' host ':' port:int '/' *
| where isnotnull(host)
| project id, user, host, port
