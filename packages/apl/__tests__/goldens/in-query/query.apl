web
| where status in (web | where ok == false | project status) or code in (web | top 1 by size | project code)
| project id, status, code
