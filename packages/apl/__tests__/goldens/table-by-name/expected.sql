SELECT c0 AS c3, toInt64(count()) AS c4
FROM (
SELECT {p0:String} AS c0
FROM `ds_web`
WHERE _time >= {p2:DateTime64(9,'UTC')} AND _time < {p3:DateTime64(9,'UTC')} AND (data.`status`.:Int64 >= {p1:Int64})
UNION ALL
SELECT {p0:String} AS c1
FROM `ds_web`
WHERE _time >= {p2:DateTime64(9,'UTC')} AND _time < {p3:DateTime64(9,'UTC')}
UNION ALL
SELECT {p5:String} AS c2
FROM `ds_users`
WHERE _time >= {p2:DateTime64(9,'UTC')} AND _time < {p3:DateTime64(9,'UTC')} AND (data.`age`.:Int64 > {p4:Int64})
)
GROUP BY c0
LIMIT {p6:UInt64}
-- {"p0":"web","p1":"500","p2":"2026-01-01 00:00:00.000000000","p3":"2026-01-02 00:00:00.000000000","p4":"30","p5":"T","p6":"65000"}
-- count:
SELECT count() AS n
FROM (
SELECT {p0:String} AS c0
FROM `ds_web`
WHERE _time >= {p2:DateTime64(9,'UTC')} AND _time < {p3:DateTime64(9,'UTC')} AND (data.`status`.:Int64 >= {p1:Int64})
UNION ALL
SELECT {p0:String} AS c1
FROM `ds_web`
WHERE _time >= {p2:DateTime64(9,'UTC')} AND _time < {p3:DateTime64(9,'UTC')}
UNION ALL
SELECT {p5:String} AS c2
FROM `ds_users`
WHERE _time >= {p2:DateTime64(9,'UTC')} AND _time < {p3:DateTime64(9,'UTC')} AND (data.`age`.:Int64 > {p4:Int64})
)
