web
| where path contains 'API' or path contains_cs 'Home' or path contains 'MÜLLER'
| where method !contains 'delete' and method !contains_cs 'POST'
| project id
