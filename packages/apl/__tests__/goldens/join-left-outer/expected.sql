SELECT c4 AS c6, c5 AS c7, c8 AS c9, c3 AS c10
FROM (
SELECT data.`id`.:String AS c0, _time AS c4, _row AS c5, data.`id` AS c8
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
) AS t2
LEFT JOIN (
SELECT data.`user`.:String AS c1, toNullable(data.`user`.:String) AS c2, toNullable(toInt64(count())) AS c3
FROM `ds_users`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
GROUP BY data.`user`.:String
) AS t3 ON c0 = c1
ORDER BY c4 DESC, c5 DESC
LIMIT {p2:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"1000"}
-- count:
SELECT count() AS n
FROM (
SELECT data.`id`.:String AS c0, _time AS c4, _row AS c5
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
) AS t0
LEFT JOIN (
SELECT data.`user`.:String AS c1, toNullable(data.`user`.:String) AS c2, toNullable(toInt64(count())) AS c3
FROM `ds_users`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
GROUP BY data.`user`.:String
) AS t1 ON c0 = c1
