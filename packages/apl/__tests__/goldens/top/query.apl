web
| top 2 by duration desc
| project id, duration
