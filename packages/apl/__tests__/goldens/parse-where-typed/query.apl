web
| parse-where path with '/api/' what '/' number:long
| project what, number
