web
| extend-valid error = error.message, tag = tags, upper = toupper(method), when = todatetime(when), status = iff(status >= 500, status, 0), ok
| project id, error, tag, upper, when, status, ok
