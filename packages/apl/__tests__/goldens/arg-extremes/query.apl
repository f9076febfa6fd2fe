web
| summarize arg_max(duration, slowest = id, way = method), arg_min(least = strlen(path), short = path) by ok
