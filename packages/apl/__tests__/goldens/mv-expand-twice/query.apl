web
| where id == 'a1'
| mvexpand tags
| mv-expand seats = parse_json(extra).seats to typeof(long)
| project tags, seats
