web
| where path startswith '/API' or path endswith 'BAR' or path startswith_cs '/H' or path endswith_cs 'frag'
| where path !startswith 'x' and path !endswith 'y' and path !startswith_cs 'z' and path !endswith_cs 'w'
| project id, path
