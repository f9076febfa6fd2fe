SELECT CAST(ifNull(data.`age`.:Int64 > {p2:Int64}, false), 'Nullable(Bool)') AS c0, max(data.`age`.:Int64) AS c1, if(count(data.`age`.:Int64) = 0, tupleElement(any(tuple(toNullable(_sysTime))), 1), tupleElement(argMax(tuple(toNullable(_sysTime)), data.`age`.:Int64), 1)) AS c2, if(count(data.`age`.:Int64) = 0, tupleElement(any(tuple(toNullable(_time))), 1), tupleElement(argMax(tuple(toNullable(_time)), data.`age`.:Int64), 1)) AS c3, if(count(data.`age`.:Int64) = 0, tupleElement(any(tuple(toNullable(data.`name`.:String))), 1), tupleElement(argMax(tuple(toNullable(data.`name`.:String)), data.`age`.:Int64), 1)) AS c4, if(count(data.`age`.:Int64) = 0, tupleElement(any(tuple(toNullable(data.`user`.:String))), 1), tupleElement(argMax(tuple(toNullable(data.`user`.:String)), data.`age`.:Int64), 1)) AS c5
FROM `ds_users`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
GROUP BY ifNull(data.`age`.:Int64 > {p2:Int64}, false)
LIMIT {p3:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"30","p3":"65000"}
-- count:
SELECT count() AS n
FROM `ds_users`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
