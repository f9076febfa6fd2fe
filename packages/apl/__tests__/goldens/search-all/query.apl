search *
| summarize n = count() by isnull(name)
