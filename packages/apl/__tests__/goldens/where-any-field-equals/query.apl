web
| where * == 'PUT' or * =~ 'delete' or * startswith 'po'
| project id
