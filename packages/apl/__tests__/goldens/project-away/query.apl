web
| project-away geo, e*, *s, _sysTime
| take 2
