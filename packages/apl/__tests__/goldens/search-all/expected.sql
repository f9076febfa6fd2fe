SELECT CAST(isNull(c0), 'Nullable(Bool)') AS c2, toInt64(count()) AS c3
FROM (
SELECT data.`name`.:String AS c0
FROM `ds_users`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
UNION ALL
SELECT NULL AS c1
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
)
WHERE true
GROUP BY isNull(c0)
LIMIT {p2:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"65000"}
-- count:
SELECT count() AS n
FROM (
SELECT data.`name`.:String AS c0
FROM `ds_users`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
UNION ALL
SELECT NULL AS c1
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
)
WHERE true
