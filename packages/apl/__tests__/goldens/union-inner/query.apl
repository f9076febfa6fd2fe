web
| where status >= 500
| project id, status, user = id, name = path
| union kind=inner users, (web | project user = method, name = 'x', id)
