web
| mv-expand tags
| project id, tags
