SELECT _time AS c0, _row AS c1, data.`id` AS c2, {p2:String} AS c3, _sysTime AS c4, (intDiv(toUnixTimestamp64Nano(_sysTime) - positiveModulo(toUnixTimestamp64Nano(_sysTime), {p4:Int64}), {p4:Int64}) - intDiv(toUnixTimestamp64Nano(_time) - positiveModulo(toUnixTimestamp64Nano(_time), {p4:Int64}), {p4:Int64})) AS c5
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
ORDER BY _time DESC, _row DESC
LIMIT {p5:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"0dfcx0qccb9c00000000000000000","p4":"1000000000","p5":"1000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
