web
| project-keep _time, ge*, id
| take 2
