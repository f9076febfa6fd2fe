web
| mv-expand tag = tags to typeof(string), code = error.codes limit 2
| summarize n = count() by tag
