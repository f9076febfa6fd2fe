union (print url = 'https://us%20er:pw@example.com:8080/a/b?x=1&y=2#top'), (print url = 'http://[::1]:80/'), (print url = 'mailto:a@example.com'), (print url = 'nonsense')
| extend parsed = parse_url(url)
| project url, scheme = parsed.scheme, host = parsed.host, port = toint(parsed.port), path = parsed.path, username = parsed.username, password = parsed.password, query = parsed.query, fragment = parsed.fragment
| sort by url asc
