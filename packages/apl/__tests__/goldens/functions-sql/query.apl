web
| take 1
| extend parsed = parse_sql('SELECT id, status, uri FROM requests WHERE req_duration_ms > 1000 ORDER BY req_duration_ms DESC'),
    other = parse_sql(@'select count(distinct a.id) n, max("two words"), -1.5 from web as a left join db.users u on a.user = u.id, logs where (x = ''it''''s'' or not y is null) and z between 1 and 2 + 3 * (4 - 5) group by 1, b having count(*) >= 10 order by b, n limit 10 offset 5;')
| project parsed, again = format_sql(parsed), table_of = parsed['from'][0]['table'], other, other_again = format_sql(other), in_list = format_sql(parse_sql("select * from t where a in (1, true, null) and b not like '%x%' and (c or d) = e"))
