web
| summarize n = count() by hour = startofday(_time), tolower(method)
