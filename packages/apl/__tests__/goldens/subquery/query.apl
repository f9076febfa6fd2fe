(web | where ok | take 2)
| project id
