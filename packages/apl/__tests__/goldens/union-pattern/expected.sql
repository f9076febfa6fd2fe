SELECT c0 AS c3, toInt64(count()) AS c4
FROM (
SELECT {p3:String} AS c0
FROM `ds_users`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
UNION ALL
SELECT {p4:String} AS c1
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
UNION ALL
SELECT {p5:String} AS c2
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (data.`id`.:String = {p2:String})
)
GROUP BY c0
LIMIT {p6:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"a1","p3":"users","p4":"web","p5":"union_arg2","p6":"65000"}
-- count:
SELECT count() AS n
FROM (
SELECT {p3:String} AS c0
FROM `ds_users`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
UNION ALL
SELECT {p4:String} AS c1
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
UNION ALL
SELECT {p5:String} AS c2
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (data.`id`.:String = {p2:String})
)
