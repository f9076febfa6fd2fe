web
| where _time between (datetime(2026-01-01) .. 10m)
| summarize count(), private = countif(ipv4_is_private(strcat(ip, '/24'))), first = any(parse_ipv4('192.168.1.9/24')), bad = any(parse_ipv4('192.168.1.9/40'))
