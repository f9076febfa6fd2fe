SELECT c0 AS c3, c4 AS c5, c1 AS c6, c2 AS c7
FROM (
SELECT data.`method`.:String AS c0, toInt64(count()) AS c4
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (data.`status`.:Int64 >= {p2:Int64})
GROUP BY data.`method`.:String
) AS t2
INNER JOIN (
SELECT data.`method`.:String AS c1, max(data.`status`.:Int64) AS c2
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (data.`status`.:Int64 >= {p2:Int64})
GROUP BY data.`method`.:String
) AS t3 ON c0 = c1
ORDER BY c0 NULLS FIRST
LIMIT {p3:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"400","p3":"65000"}
-- count:
SELECT count() AS n
FROM (
SELECT data.`method`.:String AS c0
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (data.`status`.:Int64 >= {p2:Int64})
GROUP BY data.`method`.:String
) AS t0
INNER JOIN (
SELECT data.`method`.:String AS c1, max(data.`status`.:Int64) AS c2
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (data.`status`.:Int64 >= {p2:Int64})
GROUP BY data.`method`.:String
) AS t1 ON c0 = c1
