SELECT _time AS c0, _row AS c1, data.`id` AS c2, CAST((toInt64(IPv4StringToNumOrNull(data.`ip`.:String)) BETWEEN {p3:Int64} AND {p4:Int64}), 'Nullable(Bool)') AS c3, CAST((toInt64(IPv4StringToNumOrNull(data.`ip`.:String)) BETWEEN {p7:Int64} AND {p7:Int64} OR toInt64(IPv4StringToNumOrNull(data.`ip`.:String)) BETWEEN {p8:Int64} AND {p9:Int64}), 'Nullable(Bool)') AS c4, CAST((toInt64(IPv4StringToNumOrNull(data.`ip`.:String)) BETWEEN {p11:Int64} AND {p12:Int64}), 'Nullable(Bool)') AS c5, CAST((toInt64(IPv4StringToNumOrNull(data.`ip`.:String)) BETWEEN {p3:Int64} AND {p4:Int64} OR toInt64(IPv4StringToNumOrNull(data.`ip`.:String)) BETWEEN {p13:Int64} AND {p14:Int64} OR toInt64(IPv4StringToNumOrNull(data.`ip`.:String)) BETWEEN {p8:Int64} AND {p9:Int64}), 'Nullable(Bool)') AS c6, toInt64(IPv4StringToNumOrNull(data.`ip`.:String)) AS c7, if({p7:Int64} BETWEEN 0 AND 4294967295, IPv4NumToString(toUInt32(ifNull({p7:Int64}, 0))), NULL) AS c8
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
ORDER BY _time DESC, _row DESC
LIMIT {p15:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p3":"167772160","p4":"184549375","p7":"134744072","p8":"3232235520","p9":"3232301055","p11":"167837696","p12":"167903231","p13":"2886729728","p14":"2887778303","p15":"1000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
