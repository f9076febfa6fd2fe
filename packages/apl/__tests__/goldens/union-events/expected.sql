SELECT c0 AS c4, c2 AS c5, c6 AS c8, c9 AS c11
FROM (
SELECT _time AS c0, _row AS c2, data AS c6, _sysTime AS c9
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
UNION ALL
SELECT _time AS c1, _row AS c3, data AS c7, _sysTime AS c10
FROM `ds_users`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
)
ORDER BY c0 DESC, c2 DESC
LIMIT {p3:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p3":"2"}
-- count:
SELECT count() AS n
FROM (
SELECT _time AS c0, _row AS c2
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
UNION ALL
SELECT _time AS c1, _row AS c3
FROM `ds_users`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
)
