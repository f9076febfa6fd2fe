SELECT c4 AS c6, c5 AS c7, c2 AS c8, c3 AS c9
FROM (
SELECT data.`id`.:String AS c0, toNullable(data.`id`.:String) AS c4, toNullable(toInt64(count())) AS c5
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
GROUP BY data.`id`.:String
) AS t2
FULL JOIN (
SELECT data.`user`.:String AS c1, toNullable(data.`user`.:String) AS c2, toNullable(toInt64(count())) AS c3
FROM `ds_users`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
GROUP BY data.`user`.:String
) AS t3 ON c0 = c1
LIMIT {p2:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"65000"}
-- count:
SELECT count() AS n
FROM (
SELECT data.`id`.:String AS c0, toNullable(data.`id`.:String) AS c4, toNullable(toInt64(count())) AS c5
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
GROUP BY data.`id`.:String
) AS t0
FULL JOIN (
SELECT data.`user`.:String AS c1, toNullable(data.`user`.:String) AS c2, toNullable(toInt64(count())) AS c3
FROM `ds_users`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
GROUP BY data.`user`.:String
) AS t1 ON c0 = c1
