web
| project id, left = -status % 7, part = -duration % 7, none = status % 0, constant = -7 % 3, span = (_time - datetime(2026-01-01)) % 7m
| sort by id asc
