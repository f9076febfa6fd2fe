web
| project-rename verb = method, place = ['geo.city']
| project-keep id, verb, place
