SELECT max(toNullable(c5)) AS c7, max(toNullable(c6)) AS c8
FROM (
SELECT c4 AS c5, (toInt64(row_number() OVER (ORDER BY c2 DESC, c3 DESC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)) + {p6:Int64}) AS c6
FROM (
SELECT c0 AS c2, c1 AS c3, accurateCast(toInt128(toUnixTimestamp64Nano(c0)) - toUnixTimestamp64Nano(lagInFrame(toNullable(c0), {p4:UInt64}) OVER (ORDER BY c0 DESC, c1 DESC ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)), 'Nullable(Int64)') AS c4
FROM (
SELECT _time AS c0, _row AS c1
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
ORDER BY _time DESC, _row DESC
LIMIT {p3:UInt64}
)
ORDER BY c0 DESC, c1 DESC
)
ORDER BY c2 DESC, c3 DESC
)
HAVING count() >= 0
LIMIT {p7:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p3":"3","p4":"1","p6":"9","p7":"65000"}
-- count:
SELECT count() AS n
FROM (
SELECT c4 AS c5, (toInt64(row_number() OVER (ORDER BY c2 DESC, c3 DESC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)) + {p6:Int64}) AS c6
FROM (
SELECT c0 AS c2, c1 AS c3, accurateCast(toInt128(toUnixTimestamp64Nano(c0)) - toUnixTimestamp64Nano(lagInFrame(toNullable(c0), {p4:UInt64}) OVER (ORDER BY c0 DESC, c1 DESC ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)), 'Nullable(Int64)') AS c4
FROM (
SELECT _time AS c0, _row AS c1
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
ORDER BY _time DESC, _row DESC
LIMIT {p3:UInt64}
)
ORDER BY c0 DESC, c1 DESC
)
ORDER BY c2 DESC, c3 DESC
)
