web
| where status >= 500
| union withsource=['from'] u*
| project id, user, ['from']
