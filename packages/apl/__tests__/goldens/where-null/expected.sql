SELECT _time AS c0, _row AS c1, data.`id` AS c2, data.`size` AS c3, data.`ok` AS c4, data.`code` AS c5
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND ((ifNull(data.`size`.:Int64 != {p2:Int64}, true) AND (NOT ifNull(data.`ok`.:Bool = {p3:Bool}, false))) OR ifNull(toJSONString(data.`code`) = 'null', true) OR (NOT isNull(data.`when`.:String)))
ORDER BY _time DESC, _row DESC
LIMIT {p4:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"1536","p3":true,"p4":"1000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND ((ifNull(data.`size`.:Int64 != {p2:Int64}, true) AND (NOT ifNull(data.`ok`.:Bool = {p3:Bool}, false))) OR ifNull(toJSONString(data.`code`) = 'null', true) OR (NOT isNull(data.`when`.:String)))
