SELECT c4 AS c5, c3 AS c6, {p6:String} AS c7, c8 AS c9, if(startsWith(c3, '['), arrayMap((a, b) -> toJSONString(arrayMap((x, y) -> CAST(x > y, 'Nullable(Bool)'), arraySlice(a, 1, least(length(a), length(b))), arraySlice(b, 1, least(length(a), length(b))))), [arrayMap(i -> JSONExtract(i, 'Nullable(Float64)'), JSONExtractArrayRaw(ifNull(c3, '')))], [arrayWithConstant(JSONLength(ifNull(c3, '')), toFloat64({p7:Int64}))])[1], NULL) AS c10, nullIf(JSONExtractRaw(if(startsWith(c3, '['), arrayMap((a) -> arrayMap((n) -> toJSONString(map('min', if(empty(n), nan, arrayMin(n)), 'min_idx', if(empty(n), nan, toFloat64(indexOf(a, arrayMin(n))) - 1), 'max', if(empty(n), nan, arrayMax(n)), 'max_idx', if(empty(n), nan, toFloat64(indexOf(a, arrayMax(n))) - 1), 'avg', if(empty(n), nan, arrayAvg(n)), 'variance', if(empty(n), nan, arrayReduce('varSampStable', n)), 'stdev', if(empty(n), nan, arrayReduce('stddevSampStable', n)))), [arrayMap(x -> assumeNotNull(x), arrayFilter(x -> isNotNull(x), a))])[1], [arrayMap(i -> JSONExtract(i, 'Nullable(Float64)'), JSONExtractArrayRaw(ifNull(c3, '')))])[1], NULL), {p8:String}), '') AS c11
FROM (
SELECT concat('[', arrayStringConcat(arrayMap(i -> if(has(groupArray(c1), i), arrayElement(groupArray(ifNull(c2, 'null')), indexOf(groupArray(c1), i)), ifNull('0', 'null')), arrayMap(i -> toInt64(i), range({p5:UInt64}))), ','), ']') AS c3, c0 AS c4, if(startsWith(concat('[', arrayStringConcat(arrayMap(i -> if(has(groupArray(c1), i), arrayElement(groupArray(ifNull(c2, 'null')), indexOf(groupArray(c1), i)), ifNull('0', 'null')), arrayMap(i -> toInt64(i), range({p5:UInt64}))), ','), ']'), '['), arrayMap((a, b) -> toJSONString(arrayMap((x, y) -> x / y, arraySlice(a, 1, least(length(a), length(b))), arraySlice(b, 1, least(length(a), length(b))))), [arrayMap(i -> JSONExtract(i, 'Nullable(Float64)'), JSONExtractArrayRaw(ifNull(concat('[', arrayStringConcat(arrayMap(i -> if(has(groupArray(c1), i), arrayElement(groupArray(ifNull(c2, 'null')), indexOf(groupArray(c1), i)), ifNull('0', 'null')), arrayMap(i -> toInt64(i), range({p5:UInt64}))), ','), ']'), '')))], [arrayWithConstant(JSONLength(ifNull(concat('[', arrayStringConcat(arrayMap(i -> if(has(groupArray(c1), i), arrayElement(groupArray(ifNull(c2, 'null')), indexOf(groupArray(c1), i)), ifNull('0', 'null')), arrayMap(i -> toInt64(i), range({p5:UInt64}))), ','), ']'), '')), toFloat64(if(startsWith(concat('[', arrayStringConcat(arrayMap(i -> if(has(groupArray(c1), i), arrayElement(groupArray(ifNull(c2, 'null')), indexOf(groupArray(c1), i)), ifNull('0', 'null')), arrayMap(i -> toInt64(i), range({p5:UInt64}))), ','), ']'), '['), toFloat64(arraySum(arrayMap(x -> assumeNotNull(x), arrayFilter(x -> isNotNull(x), arrayMap(i -> JSONExtract(i, 'Nullable(Float64)'), JSONExtractArrayRaw(ifNull(concat('[', arrayStringConcat(arrayMap(i -> if(has(groupArray(c1), i), arrayElement(groupArray(ifNull(c2, 'null')), indexOf(groupArray(c1), i)), ifNull('0', 'null')), arrayMap(i -> toInt64(i), range({p5:UInt64}))), ','), ']'), ''))))))), NULL)))])[1], NULL) AS c8
FROM (
SELECT data.`method`.:String AS c0, intDiv(toUnixTimestamp64Nano(_time) - {p4:Int64}, {p2:Int64}) AS c1, toJSONString(toInt64(count())) AS c2
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (_time >= {p0:DateTime64(9,'UTC')} AND _time < {p3:DateTime64(9,'UTC')})
GROUP BY intDiv(toUnixTimestamp64Nano(_time) - {p4:Int64}, {p2:Int64}), data.`method`.:String
)
GROUP BY c0
)
ORDER BY c4 NULLS FIRST
LIMIT {p9:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"3600000000000","p3":"2026-01-01 03:00:00.000000000","p4":"1767225600000000000","p5":"3","p6":"[\"2026-01-01T00:00:00Z\",\"2026-01-01T01:00:00Z\",\"2026-01-01T02:00:00Z\"]","p7":"0","p8":"max_idx","p9":"65000"}
-- count:
SELECT count() AS n
FROM (
SELECT data.`method`.:String AS c0, intDiv(toUnixTimestamp64Nano(_time) - {p4:Int64}, {p2:Int64}) AS c1, toJSONString(toInt64(count())) AS c2
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (_time >= {p0:DateTime64(9,'UTC')} AND _time < {p3:DateTime64(9,'UTC')})
GROUP BY intDiv(toUnixTimestamp64Nano(_time) - {p4:Int64}, {p2:Int64}), data.`method`.:String
)
