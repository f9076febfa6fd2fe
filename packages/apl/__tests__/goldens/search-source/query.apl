search in (we*, users) "Ada" or "GET"
| project name, method
