SELECT toInt64(count()) AS c0, sum(toFloat64(ifNull(data.`duration`.:Float64, toFloat64(data.`duration`.:Int64)))) AS c1, min(data.`path`.:String) AS c2, concat('[', arrayStringConcat(groupArray({p3:UInt64})(nullIf(toJSONString(data.`id`.:String), 'null')), ','), ']') AS c3, if(count(ifNull(data.`duration`.:Float64, toFloat64(data.`duration`.:Int64))) <= 8192, quantile({p5:Float64})(ifNull(data.`duration`.:Float64, toFloat64(data.`duration`.:Int64))), quantileTDigest({p5:Float64})(ifNull(data.`duration`.:Float64, toFloat64(data.`duration`.:Int64)))) AS c4, concat('[', arrayStringConcat(arrayMap(t -> concat('{"key":', ifNull(tupleElement(t, 1), 'null'), ',"count":', toString(tupleElement(t, 2)), ',"error":', toString(tupleElement(t, 3)), '}'), topK({p7:UInt64}, 10, 'counts')(nullIf(toJSONString(data.`method`.:String), 'null'))), ','), ']') AS c5
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (data.`id`.:String = {p2:String})
HAVING count() >= 0
LIMIT {p8:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"none","p3":"1048576","p5":"0.5","p7":"3","p8":"65000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (data.`id`.:String = {p2:String})
