web
| extend wanted = pack_array('200', status)
| where status in (dynamic([200, 500, 503])) and '200' in (wanted)
| project id
