SELECT c0 AS c4, c3 AS c5, c1 AS c6, c2 AS c7
FROM (
SELECT data.`id`.:String AS c0, toNullable(toInt64(count())) AS c3
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
GROUP BY data.`id`.:String
) AS t2
FULL JOIN (
SELECT data.`user`.:String AS c1, toNullable(toInt64(count())) AS c2
FROM `ds_users`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
GROUP BY data.`user`.:String
) AS t3 ON c0 = c1
LIMIT {p2:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"65000"}
-- count:
SELECT count() AS n
FROM (
SELECT data.`id`.:String AS c0, toNullable(toInt64(count())) AS c3
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
GROUP BY data.`id`.:String
) AS t0
FULL JOIN (
SELECT data.`user`.:String AS c1, toNullable(toInt64(count())) AS c2
FROM `ds_users`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
GROUP BY data.`user`.:String
) AS t1 ON c0 = c1
