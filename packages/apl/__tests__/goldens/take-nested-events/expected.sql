SELECT c1 AS c3, c2 AS c4, c5 AS c6, c7 AS c8
FROM (
SELECT data.`status`.:Int64 AS c0, _time AS c1, _row AS c2, data AS c5, _sysTime AS c7
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
ORDER BY _time DESC, _row DESC
LIMIT {p3:UInt64}
)
WHERE (c0 > {p4:Int64})
ORDER BY c1 DESC, c2 DESC
LIMIT {p5:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p3":"3","p4":"0","p5":"65000"}
-- count:
SELECT count() AS n
FROM (
SELECT data.`status`.:Int64 AS c0, _time AS c1, _row AS c2
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
ORDER BY _time DESC, _row DESC
LIMIT {p3:UInt64}
)
WHERE (c0 > {p4:Int64})
