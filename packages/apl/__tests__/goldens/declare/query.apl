declare query_parameters (verb:string = "GET", least:long = 100);
web
| where isempty(verb) or method == verb
| where status >= least
| project id
