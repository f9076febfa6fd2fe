SELECT c3 AS c5, c4 AS c6, c7 AS c8
FROM (
SELECT data.`user`.:String AS c0, data.`name`.:String AS c2, _time AS c3, _row AS c4, data.`name` AS c7
FROM `ds_users`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
) AS t2
LEFT ANTI JOIN (
SELECT data.`id`.:String AS c1
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
) AS t3 ON c0 = c1
ORDER BY c3 DESC, c4 DESC
LIMIT {p2:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"1000"}
-- count:
SELECT count() AS n
FROM (
SELECT data.`user`.:String AS c0, data.`name`.:String AS c2, _time AS c3, _row AS c4
FROM `ds_users`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
) AS t0
LEFT ANTI JOIN (
SELECT data.`id`.:String AS c1
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
) AS t1 ON c0 = c1
