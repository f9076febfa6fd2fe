SELECT c7 AS c9, c8 AS c10, c11 AS c12, c13 AS c14, c5 AS c15
FROM (
SELECT data.`user`.:String AS c3, data.`name`.:String AS c6, _time AS c7, _row AS c8, data.`user` AS c11, data.`name` AS c13
FROM `ds_users`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
) AS t2
LEFT JOIN (
SELECT JSONExtract(nullIf(c0, 'null'), 'Nullable(String)') AS c4, toNullable(JSONExtract(nullIf(c1, 'null'), 'Nullable(String)')) AS c5
FROM system.one
ARRAY JOIN {p4:Array(String)} AS c0, {p7:Array(String)} AS c1, arrayEnumerate({p8:Array(String)}) AS c2
ORDER BY c2
) AS t3 ON c3 = c4
ORDER BY c7 DESC, c8 DESC
LIMIT {p9:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p4":["\"a1\"","\"zz\""],"p7":["\"Dr\"","\"Prof\""],"p8":["",""],"p9":"1000"}
-- count:
SELECT count() AS n
FROM (
SELECT data.`user`.:String AS c3, data.`name`.:String AS c6, _time AS c7, _row AS c8
FROM `ds_users`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
) AS t0
LEFT JOIN (
SELECT JSONExtract(nullIf(c0, 'null'), 'Nullable(String)') AS c4, toNullable(JSONExtract(nullIf(c1, 'null'), 'Nullable(String)')) AS c5
FROM system.one
ARRAY JOIN {p4:Array(String)} AS c0, {p7:Array(String)} AS c1, arrayEnumerate({p8:Array(String)}) AS c2
ORDER BY c2
) AS t1 ON c3 = c4
