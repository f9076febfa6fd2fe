web
| parse path with '/api/' kind '/' number:long
| project id, kind, number
