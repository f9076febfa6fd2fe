web
| parse-where path with '/api/', kind:string, '/', rest:long
| project id, kind, rest, none = time(null), span = timespan(null), exact = decimal('2.5')
