SELECT _time AS c0, _row AS c1, data.`geo.city` AS c2, data.`geo.country` AS c3, if(notEmpty(dynamicElement(data.`error.codes`, 'Array(Nullable(String))')), nullIf(toJSONString(arrayElementOrNull(dynamicElement(data.`error.codes`, 'Array(Nullable(String))'), {p3:Int64})), 'null'), if(startsWith(toJSONString(data.`error.codes`), '['), nullIf(JSONExtractRaw(toJSONString(data.`error.codes`), {p3:Int64}), ''), NULL)) AS c4, if(notEmpty(dynamicElement(data.`error.codes`, 'Array(Nullable(String))')), nullIf(toJSONString(arrayElementOrNull(dynamicElement(data.`error.codes`, 'Array(Nullable(String))'), {p4:Int64})), 'null'), if(startsWith(toJSONString(data.`error.codes`), '['), nullIf(JSONExtractRaw(toJSONString(data.`error.codes`), {p4:Int64}), ''), NULL)) AS c5, if(startsWith(toJSONString(data.`tags`), '['), nullIf(JSONExtractRaw(toJSONString(data.`tags`), ifNull(if(toInt64(positiveModuloOrNull(data.`status`.:Int64, {p5:Int64})) < 0, toInt64(positiveModuloOrNull(data.`status`.:Int64, {p5:Int64})), toInt64(positiveModuloOrNull(data.`status`.:Int64, {p5:Int64})) + 1), 0)), ''), NULL) AS c6, nullIf(toJSONString(data.^`geo`), '{}') AS c7, nullIf(JSONExtractRaw(nullIf(if(isValidJSON(ifNull(data.`extra`.:String, '')), JSONExtractRaw(ifNull(data.`extra`.:String, '')), toJSONString(data.`extra`.:String)), ''), {p6:String}), '') AS c8, data.`it's` AS c9
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
ORDER BY _time DESC, _row DESC
LIMIT {p7:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p3":"1","p4":"-1","p5":"2","p6":"plan","p7":"1000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
