let most = toscalar(web | summarize max(duration));
let nothing = toscalar(web | where false | project id);
web
| where duration >= most / 4
| extend share = duration / most, none = nothing, who = toscalar(users | sort by age asc | project name)
| project id, share, none, who
