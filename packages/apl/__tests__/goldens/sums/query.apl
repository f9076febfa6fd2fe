web
| summarize total = sum(status), none = sumif(status, status == 1), noneReal = sumif(duration, status == 1), empty = sum(toint(path)), share = 1.0 * sumif(size, status == 1) / sum(size) by method
| sort by method asc
