web
| project id, method
| project-rename verb = method
