web
| where geo['city'] == 'Oslo'
| extend place = geo, packed = pack('a.b', status)
| extend city = place.city, none = place.planet, absent = geo['planet'], dotted = packed['a.b']
| project id, city, none, absent, dotted
