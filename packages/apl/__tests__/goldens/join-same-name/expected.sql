SELECT c4 AS c6, c5 AS c7, c8 AS c9, c10 AS c11, c12 AS c13, c14 AS c15, c16 AS c17
FROM (
SELECT data.`id`.:String AS c0, _time AS c4, _row AS c5, data.`id` AS c8, data.`method` AS c10
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
) AS t2
INNER JOIN (
SELECT data.`id`.:String AS c1, data.`method`.:String AS c2, data.`status`.:Int64 AS c3, data.`id` AS c12, data.`method` AS c14, data.`status` AS c16
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
) AS t3 ON c0 = c1
ORDER BY c0 NULLS FIRST, c4 DESC, c5 DESC
LIMIT {p2:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"1000"}
-- count:
SELECT count() AS n
FROM (
SELECT data.`id`.:String AS c0, _time AS c4, _row AS c5
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
) AS t0
INNER JOIN (
SELECT data.`id`.:String AS c1, data.`method`.:String AS c2, data.`status`.:Int64 AS c3
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
) AS t1 ON c0 = c1
