declare query_parameters (_dataset:string = "web", least:long = 500);
let T = table('users') | where age > 30;
table(_dataset)
| where status >= least
| union withsource=['from'] table(_dataset), T
| summarize rows = count() by ['from']
