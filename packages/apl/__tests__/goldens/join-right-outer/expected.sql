SELECT c6 AS c7, c8 AS c9
FROM (
SELECT data.`id`.:String AS c0, data.`id` AS c6
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
) AS t2
RIGHT JOIN (
SELECT data.`user`.:String AS c1, _sysTime AS c2, _time AS c3, data.`age`.:Int64 AS c4, data.`name`.:String AS c5, data.`name` AS c8
FROM `ds_users`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
) AS t3 ON c0 = c1
LIMIT {p2:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"65000"}
-- count:
SELECT count() AS n
FROM (
SELECT data.`id`.:String AS c0
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
) AS t0
RIGHT JOIN (
SELECT data.`user`.:String AS c1, _sysTime AS c2, _time AS c3, data.`age`.:Int64 AS c4, data.`name`.:String AS c5
FROM `ds_users`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
) AS t1 ON c0 = c1
