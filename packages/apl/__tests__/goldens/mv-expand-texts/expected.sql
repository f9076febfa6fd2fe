SELECT ifNull(c1, '') AS c2, toInt64(count()) AS c3, concat('[', arrayStringConcat(groupArray({p5:UInt64})(nullIf(toJSONString(ifNull(if(notEmpty(dynamicElement(data.`tags`, 'Array(Nullable(String))')), arrayElementOrNull(dynamicElement(data.`tags`, 'Array(Nullable(String))'), {p4:Int64}), JSONExtract(if(startsWith(toJSONString(data.`tags`), '['), nullIf(JSONExtractRaw(toJSONString(data.`tags`), {p4:Int64}), ''), NULL), 'Nullable(String)')), '')), 'null')), ','), ']') AS c4
FROM `ds_web`
ARRAY JOIN if(isNotNull(data.`path`.:String), CAST(splitByString({p2:String}, ifNull(data.`path`.:String, '')), 'Array(Nullable(String))'), [CAST(NULL, 'Nullable(String)')]) AS c1
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
GROUP BY ifNull(c1, '')
ORDER BY ifNull(c1, '')
LIMIT {p6:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"/","p4":"1","p5":"1048576","p6":"65000"}
-- count:
SELECT count() AS n
FROM `ds_web`
ARRAY JOIN if(isNotNull(data.`path`.:String), CAST(splitByString({p2:String}, ifNull(data.`path`.:String, '')), 'Array(Nullable(String))'), [CAST(NULL, 'Nullable(String)')]) AS c1
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
