union (web | summarize n = count()), (users | summarize n = count() * 1.5, who = any(name) | project n)
| summarize sum(n)
