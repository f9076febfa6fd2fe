web
| parse-where path with '/api/' rest
| project id, rest
