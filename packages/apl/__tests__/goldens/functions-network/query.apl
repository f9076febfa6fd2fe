web
| project id, r = ipv4_is_in_range(ip, '10.0.0.0/8'), a = ipv4_is_in_any_range(ip, '8.8.8.8', '192.168.0.0/16'), a2 = ipv4_is_in_any_range(ip, dynamic(['10.1.0.0/16'])), p = ipv4_is_private(ip), n = parse_ipv4(ip), f = format_ipv4(134744072)
