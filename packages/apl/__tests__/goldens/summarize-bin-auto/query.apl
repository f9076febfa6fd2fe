web
| summarize n = count(), avg(duration) by bin_auto(_time), method
| sort by _time asc, method asc
