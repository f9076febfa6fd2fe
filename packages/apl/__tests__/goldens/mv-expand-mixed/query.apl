['web']
| mv-expand tag = tags
| extend text = tostring(tag), type = gettype(tag)
| project id, tag, text, type
| sort by id asc, text asc
