web
| project-away ['geo.']*, 'it\'s', t*
| limit 1
