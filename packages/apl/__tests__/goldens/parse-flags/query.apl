web
| parse kind=regex flags=i path with '/API/' kind '/' rest
| parse kind=regex flags=Us path with * '(s|o)' after
| project id, kind, rest, after
