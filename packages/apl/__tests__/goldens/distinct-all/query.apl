users
| project name, age
| distinct *
