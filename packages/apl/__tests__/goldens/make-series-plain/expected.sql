SELECT concat('[', arrayStringConcat(arrayMap(i -> if(has(groupArray(c0), i), arrayElement(groupArray(ifNull(c1, 'null')), indexOf(groupArray(c0), i)), ifNull('0', 'null')), arrayMap(i -> toInt64(i), range({p4:UInt64}))), ','), ']') AS c2, {p5:String} AS c3
FROM (
SELECT intDiv(toUnixTimestamp64Nano(_time) - {p3:Int64}, {p2:Int64}) AS c0, toJSONString(toInt64(count())) AS c1
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (_time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')})
GROUP BY intDiv(toUnixTimestamp64Nano(_time) - {p3:Int64}, {p2:Int64})
)
HAVING count() >= 0
LIMIT {p6:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"21600000000000","p3":"1767225600000000000","p4":"4","p5":"[\"2026-01-01T00:00:00Z\",\"2026-01-01T06:00:00Z\",\"2026-01-01T12:00:00Z\",\"2026-01-01T18:00:00Z\"]","p6":"65000"}
-- count:
SELECT count() AS n
FROM (
SELECT intDiv(toUnixTimestamp64Nano(_time) - {p3:Int64}, {p2:Int64}) AS c0, toJSONString(toInt64(count())) AS c1
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (_time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')})
GROUP BY intDiv(toUnixTimestamp64Nano(_time) - {p3:Int64}, {p2:Int64})
)
