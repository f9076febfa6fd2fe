SELECT _time AS c0, _row AS c1, data.`id` AS c2
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (data.`status`.:Int64 IN {p7:Array(Int64)} AND ifNull(has(arrayMap(i -> JSONExtract(i, 'Nullable(String)'), JSONExtractArrayRaw(ifNull(if(startsWith(ifNull(concat('[', ifNull(toJSONString({p2:String}), 'null'), ',', ifNull(toJSONString(data.`status`.:Int64), 'null'), ']'), ''), '['), concat('[', ifNull(toJSONString({p2:String}), 'null'), ',', ifNull(toJSONString(data.`status`.:Int64), 'null'), ']'), concat('[', ifNull(concat('[', ifNull(toJSONString({p2:String}), 'null'), ',', ifNull(toJSONString(data.`status`.:Int64), 'null'), ']'), 'null'), ']')), ''))), {p2:String}), false))
ORDER BY _time DESC, _row DESC
LIMIT {p8:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"200","p7":"[200,500,503]","p8":"1000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (data.`status`.:Int64 IN {p7:Array(Int64)} AND ifNull(has(arrayMap(i -> JSONExtract(i, 'Nullable(String)'), JSONExtractArrayRaw(ifNull(if(startsWith(ifNull(concat('[', ifNull(toJSONString({p2:String}), 'null'), ',', ifNull(toJSONString(data.`status`.:Int64), 'null'), ']'), ''), '['), concat('[', ifNull(toJSONString({p2:String}), 'null'), ',', ifNull(toJSONString(data.`status`.:Int64), 'null'), ']'), concat('[', ifNull(concat('[', ifNull(toJSONString({p2:String}), 'null'), ',', ifNull(toJSONString(data.`status`.:Int64), 'null'), ']'), 'null'), ']')), ''))), {p2:String}), false))
