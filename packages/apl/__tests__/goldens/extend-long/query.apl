web
| extend a = duration + duration + duration + duration + duration + duration + duration + duration + duration + duration + duration + duration + duration + duration + duration + duration + duration + duration + duration + duration + duration + duration + duration + duration + duration + duration + duration + duration + duration + duration + duration + duration + duration + duration + duration + duration + duration + duration + duration + duration
| extend b = a + a
| project id, b
