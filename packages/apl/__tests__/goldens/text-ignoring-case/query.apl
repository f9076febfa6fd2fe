web
| where method =~ 'get' and geo.city !~ 'ROME'
| project id, geo.city
