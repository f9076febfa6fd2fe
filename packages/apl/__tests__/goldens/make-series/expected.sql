SELECT c0 AS c4, concat('[', arrayStringConcat(arrayMap(i -> if(has(groupArray(c1), i), arrayElement(groupArray(ifNull(c2, 'null')), indexOf(groupArray(c1), i)), ifNull('0', 'null')), arrayMap(i -> toInt64(i), range({p5:UInt64}))), ','), ']') AS c5, concat('[', arrayStringConcat(arrayMap(i -> if(has(groupArray(c1), i), arrayElement(groupArray(ifNull(c3, 'null')), indexOf(groupArray(c1), i)), ifNull(toJSONString({p6:Float64}), 'null')), arrayMap(i -> toInt64(i), range({p5:UInt64}))), ','), ']') AS c6, {p7:String} AS c7
FROM (
SELECT data.`method`.:String AS c0, intDiv(toUnixTimestamp64Nano(_time) - {p4:Int64}, {p2:Int64}) AS c1, toJSONString(toInt64(count())) AS c2, toJSONString(avg(coalesce(toFloat64(data.`duration`.:Int64), data.`duration`.:Float64))) AS c3
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (_time >= {p0:DateTime64(9,'UTC')} AND _time < {p3:DateTime64(9,'UTC')})
GROUP BY intDiv(toUnixTimestamp64Nano(_time) - {p4:Int64}, {p2:Int64}), data.`method`.:String
)
GROUP BY c0
LIMIT {p8:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"3600000000000","p3":"2026-01-01 03:00:00.000000000","p4":"1767225600000000000","p5":"3","p6":"0.5","p7":"[\"2026-01-01T00:00:00Z\",\"2026-01-01T01:00:00Z\",\"2026-01-01T02:00:00Z\"]","p8":"65000"}
-- count:
SELECT count() AS n
FROM (
SELECT data.`method`.:String AS c0, intDiv(toUnixTimestamp64Nano(_time) - {p4:Int64}, {p2:Int64}) AS c1, toJSONString(toInt64(count())) AS c2, toJSONString(avg(coalesce(toFloat64(data.`duration`.:Int64), data.`duration`.:Float64))) AS c3
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (_time >= {p0:DateTime64(9,'UTC')} AND _time < {p3:DateTime64(9,'UTC')})
GROUP BY intDiv(toUnixTimestamp64Nano(_time) - {p4:Int64}, {p2:Int64}), data.`method`.:String
)
