// Questions about events of clean types, whose answers one event of other types may not change. `$` stands for the dataset without that
// event, and `other` is a dataset that never had one. A query without `sort` or `top` at its end is compared without regard to order.

// What is done to a value that is a text in some events and a number in others.
$ | project id, k, c, m, n, u, z = iff(b, s, n) | where z == 10
$ | project id, k, c, m, n, u, z = iff(b, s, n) | where z == '10' or z in ('9', 3)
$ | project id, k, c, m, n, u, z = iff(b, s, n) | where z > 9
$ | project id, k, c, m, n, u, z = iff(b, s, n) | where z > 'a' or z has '10'
$ | project id, k, c, m, n, u, z = iff(b, s, n) | where z < m
$ | project id, k, c, m, n, u, z = iff(b, s, n) | extend y = z + 1, x = tostring(z), w = toint(z)
$ | project id, k, c, m, n, u, z = iff(b, s, n) | extend y = strlen(z), x = strcat(z, n), w = tobool(z)
$ | project id, k, c, m, n, u, z = iff(b, s, n) | extend y = coalesce(z, u), x = iff(c, z, m), w = gettype(z)
$ | project id, k, c, m, n, u, z = iff(b, s, n) | extend y = max_of(z, m), x = -z, w = round(z)
$ | project id, k, c, m, n, u, z = iff(b, s, n) | extend y = pack_array(z, m), x = isempty(z)
$ | project id, k, c, m, n, u, z = iff(b, s, n) | summarize max(z), min(z), sum(z), avg(z), dcount(z)
$ | project id, k, c, m, n, u, z = iff(b, s, n) | summarize arg_max(z, id), arg_min(z, id)
$ | project id, k, c, m, n, u, z = iff(b, s, n) | sort by id asc | summarize make_list(z), count() by k
$ | project id, k, c, m, n, u, z = iff(b, s, n) | summarize count() by z
$ | project id, k, c, m, n, u, z = iff(b, s, n) | sort by z asc, id asc | project id, z
$ | project id, k, c, m, n, u, z = iff(b, s, n) | join (other | project p, mark) on $left.z == $right.p | project id, mark

// Conditions.
$ | where n > m | project id
$ | where n < m | project id
$ | where n == m | project id
$ | where n != m | project id
$ | where n >= r | project id
$ | where r < n | project id
$ | where r > n + 1 | project id
$ | where big > wide | project id
$ | where big == wide | project id
$ | where big > n | project id
$ | where big >= r | project id
$ | where s > u | project id
$ | where s == u | project id
$ | where s != u | project id
$ | where s <= u | project id
$ | where s == d | project id
$ | where d > s | project id
$ | where d == n | project id
$ | where d > n | project id
$ | where n < d | project id
$ | where t > v | project id
$ | where t <= v | project id
$ | where b == c | project id
$ | where b != c | project id
$ | where b > c | project id
$ | where a == e | project id
$ | where w != a | project id
$ | where o.x > n | project id
$ | where o.y == s | project id
$ | where n > 9 | project id
$ | where n == 7 | project id
$ | where n != 7 | project id
$ | where n == '7' | project id
$ | where n > '9' | project id
$ | where n == '7.0' | project id
$ | where n > 6.5 | project id
$ | where big == 9007199254740993 | project id
$ | where big > 9007199254740992 | project id
$ | where big != 9007199254740993 | project id
$ | where big == '9007199254740993' | project id
$ | where r > 0.5 | project id
$ | where r == 2.75 | project id
$ | where s == '10' | project id
$ | where s > '9' | project id
$ | where s < 'b' | project id
$ | where s == 10 | project id
$ | where s =~ 'B' | project id
$ | where d == 10 | project id
$ | where d > 9 | project id
$ | where d == 2.5 | project id
$ | where d == '10' | project id
$ | where b == true | project id
$ | where b | project id
$ | where b == 1 | project id
$ | where not(b) | project id
$ | where t > datetime(2026-01-02) | project id
$ | where t < now() | project id
$ | where n between (0 .. 9) | project id
$ | where n !between (0 .. 9) | project id
$ | where s between ('a' .. 'c') | project id
$ | where big between (9007199254740992 .. 9007199254740993) | project id
$ | where n in (7, 10) | project id
$ | where n !in (7, 10) | project id
$ | where n in ('7', '10') | project id
$ | where big in (9007199254740993, 1) | project id
$ | where s in ('10', 'b') | project id
$ | where s in~ ('b') | project id
$ | where s in (10, 9) | project id
$ | where d in (10, 7) | project id
$ | where r in (2.75, 1) | project id
$ | where n in (other | project p) | project id
$ | where big in (other | project g) | project id
$ | where s in (other | project q) | project id
$ | where n !in (other | project p) | project id
$ | where d in (other | project p) | project id
$ | where isnull(n) | project id
$ | where isnotnull(s) | project id
$ | where isempty(s) | project id
$ | where s contains 'x' | project id
$ | where s has '10' | project id
$ | where s startswith 'x' | project id
$ | where s matches regex '^[0-9]+$' | project id
$ | where w has 'p' | project id
$ | where s in (u, 'a') | project id
$ | where n in (m, 7) | project id
$ | where array_length(a) > 1 | project id
$ | where * has 'b' | project id
$ | where isint(n) and isstring(s) and isbool(b) | project id
$ | where isreal(r) | project id

// Calculations.
$ | project id, z = n + m
$ | project id, z = n - m
$ | project id, z = n * m
$ | project id, z = n / m
$ | project id, z = n % m
$ | project id, z = n / 3
$ | project id, z = h / 5
$ | project id, z = n / h
$ | project id, z = h / n
$ | project id, z = n % 3
$ | project id, z = (n + 1) / 2
$ | project id, z = n / 2 * 3
$ | project id, z = -n
$ | project id, z = -r
$ | project id, z = n + r
$ | project id, z = r / 2
$ | project id, z = r * n
$ | project id, z = big + 0
$ | project id, z = big - 1
$ | project id, z = big % 10
$ | project id, z = big / 10
$ | project id, z = big * 1 + n
$ | project id, z = -big
$ | project id, z = d + 1
$ | project id, z = n + d
$ | project id, z = abs(n)
$ | project id, z = abs(big)
$ | project id, z = floor(big)
$ | project id, z = ceiling(r)
$ | project id, z = floor(r)
$ | project id, z = round(n / 2)
$ | project id, z = sign(n)
$ | project id, z = sqrt(abs(n))
$ | project id, z = bin(n, 5)
$ | project id, z = bin(big, 10)
$ | project id, z = bin(r, 0.5)
$ | project id, z = min_of(n, m)
$ | project id, z = max_of(big, wide)
$ | project id, z = max_of(n, r)
$ | project id, z = min_of(s, u)
$ | project id, z = iff(n > m, n, m)
$ | project id, z = iff(n > 5, big, wide)
$ | project id, z = iff(b, n, 0) / 2
$ | project id, z = iff(n > 5, s, u)
$ | project id, z = iff(b, s, 'none')
$ | project id, z = iff(b, r, 1.5)
$ | project id, z = case(n > 9, n, n > 5, m, 0)
$ | project id, z = coalesce(n, m, 0)
$ | project id, z = coalesce(big, 0)
$ | project id, z = coalesce(s, u, 'none')
$ | project id, z = coalesce(a, s)
$ | project id, z = coalesce(a, s, u)
$ | project id, z = coalesce(n, 0) / 2
$ | project id, z = toint(n)
$ | project id, z = tolong(big)
$ | project id, z = toint(d)
$ | project id, z = todouble(d)
$ | project id, z = todouble(n) / 2
$ | project id, z = tostring(n)
$ | project id, z = tostring(big)
$ | project id, z = tostring(r)
$ | project id, z = tostring(b)
$ | project id, z = tobool(b)
$ | project id, z = tobool(n)
$ | project id, z = todatetime(t)
$ | project id, z = todatetime(v) - todatetime(t)
$ | project id, z = n * 1s
$ | project id, z = t - v
$ | project id, z = tostring(t + 1h), y = tostring(90m + v), x = bin(v - 1d, 1h)
$ | project id, z = t - _time, y = _time - v
$ | where t - v > 2h or v + 1h > t | project id
$ | project id, z = tostring(d + 1h)
$ | project id, z = n / 4, y = d / 4, x = big / 8
$ | project id, z = _time + n * 1h
$ | project id, z = strcat(s, n, b)
$ | project id, z = strlen(s)
$ | project id, z = tolower(s)
$ | project id, z = substring(s, 0, 1)
$ | project id, z = array_length(a)
$ | project id, z = array_sum(a)
$ | project id, z = a[0]
$ | project id, z = w[0]
$ | project id, z = o.x + n
$ | project id, z = o.y
$ | project id, z = o
$ | project id, z = tostring(o)
$ | project id, z = isnull(o)
$ | project id, z = gettype(o)
$ | project id, z = bag_keys(o)
$ | project id, z = pack('o', o)
$ | project id, z = gettype(n)
$ | project id, z = gettype(r)
$ | project id, z = gettype(s)
$ | project id, z = gettype(b)
$ | project id, z = pack_array(n, s, b, big)
$ | project id, z = pack('n', n, 's', s)
$ | project id, z = todatetime(bin(todatetime(t), 1d))
$ | project id, z = hash(s)
$ | project id, z = parse_json(s)
$ | project id, z = parse_json(iff(b, s, n))

// Aggregations.
$ | summarize sum(n), avg(n), min(n), max(n)
$ | summarize sum(big)
$ | summarize sum(big) by k
$ | summarize min(big), max(big)
$ | summarize min(s), max(s)
$ | summarize min(t), max(t)
$ | summarize min(b), max(b)
$ | summarize min(r), max(r), sum(r), avg(r)
$ | summarize sum(n) by k
$ | summarize max(s) by k
$ | summarize sumif(n, n > 5), maxif(big, n > 5), minif(s, n > 5)
$ | summarize arg_max(n, s, big)
$ | summarize arg_max(s, n)
$ | summarize arg_min(s, n)
$ | summarize arg_max(t, s)
$ | summarize arg_max(r, n)
$ | summarize arg_max(n, *) | project n, id, s, big, r
$ | summarize x = arg_max(n, big)
$ | summarize percentile(n, 50), percentile(r, 90), stdev(n), variance(r)
$ | summarize dcount(n), dcount(s), dcount(big), dcount(b)
$ | summarize make_set(n), make_set(s), make_set(big)
$ | sort by id asc | summarize make_list(big)
$ | summarize topk(s, 3), topk(n, 3)
$ | summarize histogram(n, 3)
$ | summarize any(k) by k
$ | summarize countif(n > m), countif(s > u), countif(b)
$ | summarize count() by n
$ | summarize count() by big
$ | summarize count() by s
$ | summarize count() by b
$ | summarize count() by r
$ | summarize count() by t
$ | summarize count() by n, s
$ | summarize count() by z = n / 3
$ | summarize count() by z = n % 3
$ | summarize count() by z = bin(n, 5)
$ | summarize sum(n / 3)
$ | summarize sum(h / 5), sum(7 / h)
$ | summarize sum(n) / 3 by k
$ | summarize rate(n)
$ | summarize sum(t - v), avg(t - v), max(t) - min(v)

// Whole queries: orders, joins, and what is done to columns that were computed before.
$ | sort by n asc, id asc | project id
$ | sort by n desc, id asc | project id
$ | sort by s asc, id asc | project id
$ | sort by s desc, id asc | project id
$ | sort by d asc, id asc | project id
$ | sort by big asc, id asc | project id
$ | sort by b desc, id asc | project id
$ | sort by t desc, id asc | project id
$ | sort by r asc, id asc | project id
$ | sort by n nulls last, id asc | project id
$ | sort by s asc nulls last, id asc | project id
$ | top 3 by big, id asc | project id
$ | top 3 by s, id asc | project id, s
$ | extend z = n + 1 | sort by z desc, id asc | project id, z
$ | distinct n
$ | summarize count() by tostring(o)
// Without two that are largest: which of them is found is nobody's promise.
$ | where id < 6 | summarize arg_max(big, s, n)
$ | where id < 6 | summarize arg_min(big, id)
$ | summarize arg_max(id, o)
$ | project id, o | union (other | project o = p) | sort by id asc, tostring(o) asc | summarize make_list(o)
$ | distinct s, b
$ | distinct big
$ | project id, big | join (other | project g, mark) on $left.big == $right.g | project id, mark
$ | project id, n | join (other | project p, mark) on $left.n == $right.p | project id, mark
$ | project id, s | join (other | project q, mark) on $left.s == $right.q | project id, mark
$ | project id, d | join (other | project p, mark) on $left.d == $right.p | project id, mark
$ | project id, b | join (other | project f, mark) on $left.b == $right.f | project id, mark
$ | project id, n | join kind=leftanti (other | project p) on $left.n == $right.p | project id
$ | project id, n | join kind=leftouter (other | project p, mark) on $left.n == $right.p | project id, mark
$ | project id, n | join ($ | project m, more = id) on $left.n == $right.m | project id, more
$ | project id, n | join ($ | project d, more = id) on $left.n == $right.d | project id, more
$ | project id, s | join ($ | project u, more = id) on $left.s == $right.u | project id, more
$ | project id, n, s | lookup (other | project n = p, mark) on n | project id, mark
$ | where n in (($ | project m)) | project id
$ | where d in (($ | project n)) | project id
$ | where s in (($ | project u)) | project id
$ | where n == toscalar($ | summarize max(n)) | project id
$ | where big == toscalar($ | summarize max(big)) | project id
$ | extend z = n / 3 | where z == 2 | project id
$ | extend z = n / 3 | summarize sum(z)
$ | summarize z = sum(h) by k | extend y = z / 5, x = 7 / z | project k, y, x
$ | summarize z = arg_max(id, n, h) by k | extend y = n / 2, x = h / 5 | project k, y, x
$ | summarize z = max(n), y = max(h) by k | extend z = z / 2, y = y / 5 | project k, z, y
$ | summarize x = any(h) by id | extend x = x / 5 | project id, x
$ | sort by id asc | extend z = prev(n) / 2, y = prev(h) / 5, x = next(h) / 5 | project id, z, y, x
$ | extend z = n / toscalar($ | summarize max(m)), y = 100 / toscalar($ | summarize max(h)) | project id, z, y
$ | sort by id asc | extend y = prev(h) | project id, y, z = tostring(y)
$ | extend z = n / 3 | summarize z = take_any(z) by n, id | extend y = z / 2 | project id, y
$ | extend z = big - 1 | where z == 9007199254740992 | project id
$ | extend z = n + 1, y = m + 1 | where z > y | project id, z, y
$ | summarize z = max(n) by k | extend y = z / 2 | where y > 1 | sort by k asc
$ | summarize z = sum(big) by k | extend y = z % 10 | project k, y | sort by k asc
$ | summarize z = count() by n | extend y = n / 2, x = n > 9 | project n, y, x
$ | summarize z = count() by s | where s > '9' | project s
$ | summarize z = count() by b | where b | project z
$ | summarize z = make_list(n) | mv-expand z to typeof(long) | summarize sum(z)
$ | mv-expand y = a to typeof(long) | project id, z = y + n
$ | sort by id asc | extend z = prev(n), y = prev(n, 1, 0), x = row_cumsum(n) | project id, z, y, x
$ | sort by id asc | extend z = row_cumsum(big) | where id < 2 | project id, z
$ | union other | summarize sum(n), max(big), max(s)
$ | project id, n | union (other | project n = p) | summarize sum(n), max(n)
$ | make-series z = sum(n) default = 0 on _time step 1h by k
$ | search 'b' | project id
$ | parse s with y ' ' z | project id, y, z
$ | project z = n, y = s | where z > 5 | project z, y
