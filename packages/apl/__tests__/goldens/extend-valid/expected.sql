SELECT _time AS c0, _row AS c1, data.`id` AS c2, if(ifNull(data.`error.message`.:String != '', false), toJSONString(data.`error.message`.:String), nullIf(toJSONString(data.^`error`), '{}')) AS c3, if(ifNull(toJSONString(data.`tags`) NOT IN ('[]', '{}', '""', 'null', 'false', '0'), false), toJSONString(data.`tags`), NULL) AS c4, if(ifNull(upperUTF8(data.`method`.:String) != '', false), upperUTF8(data.`method`.:String), NULL) AS c5, if(isNotNull(parseDateTime64BestEffortOrNull(data.`when`.:String, 9, 'UTC')), toJSONString(replaceRegexpOne(replaceOne(toString(parseDateTime64BestEffortOrNull(data.`when`.:String, 9, 'UTC')), ' ', 'T'), '\\.?0*$', 'Z')), toJSONString(data.`when`.:String)) AS c6, if(ifNull((multiIf((data.`status`.:Int64 >= {p2:Int64}), data.`status`.:Int64, {p3:Int64}) != 0), false), multiIf((data.`status`.:Int64 >= {p2:Int64}), data.`status`.:Int64, {p3:Int64}), data.`status`.:Int64) AS c7, CAST(if(ifNull(data.`ok`.:Bool, false), CAST(data.`ok`.:Bool, 'Nullable(Bool)'), CAST(data.`ok`.:Bool, 'Nullable(Bool)')), 'Nullable(Bool)') AS c8
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
ORDER BY _time DESC, _row DESC
LIMIT {p4:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"500","p3":"0","p4":"1000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
