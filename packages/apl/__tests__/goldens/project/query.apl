web
| project id, verb = method, status * 2, strlen(path), id
