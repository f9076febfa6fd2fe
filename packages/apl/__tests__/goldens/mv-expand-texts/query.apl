['web']
| mv-expand part = split(path, '/')
| extend tag = tags[0]
| summarize n = count(), tags = make_list(tostring(tag)) by tostring(part)
| sort by part asc
