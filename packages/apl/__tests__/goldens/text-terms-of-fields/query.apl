web
| where path has strcat('fo', 'o') or id has id
| project id
