SELECT c4 AS c6, c5 AS c7, c8 AS c9, c10 AS c11, c12 AS c13
FROM (
SELECT data.`user`.:String AS c0, data.`name`.:String AS c3, _time AS c4, _row AS c5, data.`user` AS c8, data.`name` AS c10
FROM `ds_users`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
) AS t2
LEFT JOIN (
SELECT data.`id`.:String AS c1, data.`method`.:String AS c2, data.`method` AS c12
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
) AS t3 ON c0 = c1
ORDER BY c4 DESC, c5 DESC
LIMIT {p2:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"1000"}
-- count:
SELECT count() AS n
FROM (
SELECT data.`user`.:String AS c0, data.`name`.:String AS c3, _time AS c4, _row AS c5
FROM `ds_users`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
) AS t0
LEFT JOIN (
SELECT data.`id`.:String AS c1, data.`method`.:String AS c2
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
) AS t1 ON c0 = c1
