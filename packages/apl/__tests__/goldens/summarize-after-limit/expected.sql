SELECT c0 AS c1, toInt64(count()) AS c2
FROM (
SELECT data.`method`.:String AS c0
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
ORDER BY _time DESC, _row DESC
LIMIT {p3:UInt64}
)
GROUP BY c0
LIMIT {p4:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p3":"4","p4":"65000"}
-- count:
SELECT count() AS n
FROM (
SELECT data.`method`.:String AS c0
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
ORDER BY _time DESC, _row DESC
LIMIT {p3:UInt64}
)
