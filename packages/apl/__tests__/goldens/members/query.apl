web
| project geo.city, geo['country'], ['geo.city'], error.codes[0], error.codes[-1], tags[status % 2], geo, parse_json(extra).plan, ["it's"]
