SELECT _time AS c0, _row AS c1, data.`id` AS c2
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (data.`status`.:Int64 IN {p5:Array(Int64)} AND data.`method`.:String IN {p9:Array(String)} AND lowerUTF8(data.`method`.:String) IN {p13:Array(String)} AND (NOT ifNull(data.`id`.:String IN {p15:Array(String)}, false)) AND (NOT ifNull(lowerUTF8(data.`id`.:String) IN {p17:Array(String)}, false)) AND (NOT (ifNull(coalesce(toFloat64(data.`code`.:Int64), accurateCastOrNull(data.`code`, 'Float64')) = {p18:Float64}, false) OR ifNull(CAST(data.`code`, 'Nullable(String)') = {p19:String}, false) OR ifNull(toJSONString(data.`code`) = 'null', true))))
ORDER BY _time DESC, _row DESC
LIMIT {p20:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p5":"[200,204,404]","p9":["GET","PUT","DELETE"],"p13":["get","put","delete"],"p15":["a9"],"p17":["a3"],"p18":"1.5","p19":"x","p20":"1000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (data.`status`.:Int64 IN {p5:Array(Int64)} AND data.`method`.:String IN {p9:Array(String)} AND lowerUTF8(data.`method`.:String) IN {p13:Array(String)} AND (NOT ifNull(data.`id`.:String IN {p15:Array(String)}, false)) AND (NOT ifNull(lowerUTF8(data.`id`.:String) IN {p17:Array(String)}, false)) AND (NOT (ifNull(coalesce(toFloat64(data.`code`.:Int64), accurateCastOrNull(data.`code`, 'Float64')) = {p18:Float64}, false) OR ifNull(CAST(data.`code`, 'Nullable(String)') = {p19:String}, false) OR ifNull(toJSONString(data.`code`) = 'null', true))))
