web
| summarize n = count() by method
| where n > 1
| extend twice = n * 2
| project method, twice
