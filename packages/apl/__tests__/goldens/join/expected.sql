SELECT c6 AS c8, c7 AS c9, c10 AS c11, c12 AS c13, c14 AS c15
FROM (
SELECT data.`id`.:String AS c0, _time AS c6, _row AS c7, data.`id` AS c10
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
) AS t2
INNER JOIN (
SELECT data.`user`.:String AS c1, _sysTime AS c2, _time AS c3, data.`age`.:Int64 AS c4, data.`name`.:String AS c5, data.`name` AS c12, data.`age` AS c14
FROM `ds_users`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (data.`age`.:Int64 > {p2:Int64})
) AS t3 ON c0 = c1
ORDER BY c6 DESC, c7 DESC
LIMIT {p3:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"30","p3":"1000"}
-- count:
SELECT count() AS n
FROM (
SELECT data.`id`.:String AS c0, _time AS c6, _row AS c7
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
) AS t0
INNER JOIN (
SELECT data.`user`.:String AS c1, _sysTime AS c2, _time AS c3, data.`age`.:Int64 AS c4, data.`name`.:String AS c5
FROM `ds_users`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (data.`age`.:Int64 > {p2:Int64})
) AS t1 ON c0 = c1
