web
| extend since = now() - _time
| getschema
