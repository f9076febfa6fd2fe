SELECT toInt64(count()) AS c0, sum(toFloat64(ifNull(data.`duration`.:Float64, toFloat64(data.`duration`.:Int64)))) AS c1, min(data.`path`.:String) AS c2, concat('[', arrayStringConcat(groupArray({p3:UInt64})(nullIf(toJSONString(data.`id`.:String), 'null')), ','), ']') AS c3, arrayElementOrNull(multiIf(count(ifNull(data.`duration`.:Float64, toFloat64(data.`duration`.:Int64))) = 0, [], count(ifNull(data.`duration`.:Float64, toFloat64(data.`duration`.:Int64))) <= 1024, arrayReduce({p5:String}, groupArray(1024)(ifNull(data.`duration`.:Float64, toFloat64(data.`duration`.:Int64)))), arrayMap(q -> least(greatest(q, min(ifNull(data.`duration`.:Float64, toFloat64(data.`duration`.:Int64)))), max(ifNull(data.`duration`.:Float64, toFloat64(data.`duration`.:Int64)))), quantilesDD(0.001, {p6:Float64})(ifNull(data.`duration`.:Float64, toFloat64(data.`duration`.:Int64))))), 1) AS c4, concat('[', arrayStringConcat(arrayMap(t -> concat('{"key":', ifNull(tupleElement(t, 1), 'null'), ',"count":', toString(tupleElement(t, 2)), ',"error":', toString(tupleElement(t, 3)), '}'), arraySlice(arraySort(t -> (-toInt64(tupleElement(t, 2)), tupleElement(t, 1)), topK({p8:UInt64} + 16, 10, 'counts')(nullIf(toJSONString(data.`method`.:String), 'null'))), 1, {p8:UInt64})), ','), ']') AS c5
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (data.`id`.:String = {p2:String})
LIMIT {p9:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"none","p3":"1048576","p5":"quantiles(0.5)","p6":"0.5","p8":"3","p9":"65000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (data.`id`.:String = {p2:String})
