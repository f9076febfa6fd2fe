print i = range(1, 100)
| mv-expand i to typeof(long)
| extend slow = i > 60, took = i * 1ms, at = datetime(2026-01-01) + i * 1h, same = 'x', few = i % 3
| extend kept = iff(slow, i, 0), rare = iff(i > 80, strcat('r', tostring(i)), '')
| summarize differences = spotlight(slow, *), none = spotlight(i > 1000, took)
