union withsource=from us*, we*, (web | where id == 'a1')
| summarize n = count() by from
