SELECT toInt64(count()) AS c3
FROM (
SELECT 1 AS c4
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (data.`status`.:Int64 >= {p2:Int64})
UNION ALL
SELECT 1 AS c5
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (data.`status`.:Int64 >= {p2:Int64})
UNION ALL
SELECT 1 AS c6
FROM `ds_users`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
)
LIMIT {p3:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"500","p3":"65000"}
-- count:
SELECT count() AS n
FROM (
SELECT 1 AS c0
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (data.`status`.:Int64 >= {p2:Int64})
UNION ALL
SELECT 1 AS c1
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (data.`status`.:Int64 >= {p2:Int64})
UNION ALL
SELECT 1 AS c2
FROM `ds_users`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
)
