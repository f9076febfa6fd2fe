SELECT ifNull(sum(toFloat64(c0)), 0) AS c2
FROM (
SELECT toFloat64(toInt64(count())) AS c0
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
HAVING count() >= 0
UNION ALL
SELECT (toFloat64(toInt64(count())) * {p2:Float64}) AS c1
FROM `ds_users`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
HAVING count() >= 0
)
HAVING count() >= 0
LIMIT {p3:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"1.5","p3":"65000"}
-- count:
SELECT count() AS n
FROM (
SELECT toFloat64(toInt64(count())) AS c0
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
HAVING count() >= 0
UNION ALL
SELECT (toFloat64(toInt64(count())) * {p2:Float64}) AS c1
FROM `ds_users`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
HAVING count() >= 0
)
