web
| summarize dimensional_analysis(status >= 500, pack_array(method, ['geo.country']))
