SELECT c5 AS c7, c6 AS c8, c4 AS c9, JSONExtract(nullIf(c3, 'null'), 'Nullable(Int64)') AS c10
FROM (
SELECT data.`extra`.:String AS c2, nullIf(c0, 'null') AS c4, _time AS c5, _row AS c6
FROM `ds_web`
ARRAY JOIN if(notEmpty(dynamicElement(data.`tags`, 'Array(Nullable(String))')), arrayMap(i -> ifNull(toJSONString(i), 'null'), dynamicElement(data.`tags`, 'Array(Nullable(String))')), multiIf(startsWith(ifNull(toJSONString(data.`tags`), 'null'), '['), JSONExtractArrayRaw(ifNull(toJSONString(data.`tags`), 'null')), startsWith(ifNull(toJSONString(data.`tags`), 'null'), '{'), arrayMap(e -> concat('{', toJSONString(e.1), ':', e.2, '}'), JSONExtractKeysAndValuesRaw(ifNull(toJSONString(data.`tags`), 'null'))), [ifNull(toJSONString(data.`tags`), 'null')])) AS c0
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (data.`id`.:String = {p2:String})
)
ARRAY JOIN multiIf(startsWith(ifNull(nullIf(JSONExtractRaw(nullIf(if(isValidJSON(ifNull(c2, '')), JSONExtractRaw(ifNull(c2, '')), toJSONString(c2)), ''), {p3:String}), ''), 'null'), '['), JSONExtractArrayRaw(ifNull(nullIf(JSONExtractRaw(nullIf(if(isValidJSON(ifNull(c2, '')), JSONExtractRaw(ifNull(c2, '')), toJSONString(c2)), ''), {p3:String}), ''), 'null')), startsWith(ifNull(nullIf(JSONExtractRaw(nullIf(if(isValidJSON(ifNull(c2, '')), JSONExtractRaw(ifNull(c2, '')), toJSONString(c2)), ''), {p3:String}), ''), 'null'), '{'), arrayMap(e -> concat('{', toJSONString(e.1), ':', e.2, '}'), JSONExtractKeysAndValuesRaw(ifNull(nullIf(JSONExtractRaw(nullIf(if(isValidJSON(ifNull(c2, '')), JSONExtractRaw(ifNull(c2, '')), toJSONString(c2)), ''), {p3:String}), ''), 'null'))), [ifNull(nullIf(JSONExtractRaw(nullIf(if(isValidJSON(ifNull(c2, '')), JSONExtractRaw(ifNull(c2, '')), toJSONString(c2)), ''), {p3:String}), ''), 'null')]) AS c3
ORDER BY c5 DESC, c6 DESC
LIMIT {p4:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"a1","p3":"seats","p4":"1000"}
-- count:
SELECT count() AS n
FROM (
SELECT data.`extra`.:String AS c2, nullIf(c0, 'null') AS c4, _time AS c5, _row AS c6
FROM `ds_web`
ARRAY JOIN if(notEmpty(dynamicElement(data.`tags`, 'Array(Nullable(String))')), arrayMap(i -> ifNull(toJSONString(i), 'null'), dynamicElement(data.`tags`, 'Array(Nullable(String))')), multiIf(startsWith(ifNull(toJSONString(data.`tags`), 'null'), '['), JSONExtractArrayRaw(ifNull(toJSONString(data.`tags`), 'null')), startsWith(ifNull(toJSONString(data.`tags`), 'null'), '{'), arrayMap(e -> concat('{', toJSONString(e.1), ':', e.2, '}'), JSONExtractKeysAndValuesRaw(ifNull(toJSONString(data.`tags`), 'null'))), [ifNull(toJSONString(data.`tags`), 'null')])) AS c0
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (data.`id`.:String = {p2:String})
)
ARRAY JOIN multiIf(startsWith(ifNull(nullIf(JSONExtractRaw(nullIf(if(isValidJSON(ifNull(c2, '')), JSONExtractRaw(ifNull(c2, '')), toJSONString(c2)), ''), {p3:String}), ''), 'null'), '['), JSONExtractArrayRaw(ifNull(nullIf(JSONExtractRaw(nullIf(if(isValidJSON(ifNull(c2, '')), JSONExtractRaw(ifNull(c2, '')), toJSONString(c2)), ''), {p3:String}), ''), 'null')), startsWith(ifNull(nullIf(JSONExtractRaw(nullIf(if(isValidJSON(ifNull(c2, '')), JSONExtractRaw(ifNull(c2, '')), toJSONString(c2)), ''), {p3:String}), ''), 'null'), '{'), arrayMap(e -> concat('{', toJSONString(e.1), ':', e.2, '}'), JSONExtractKeysAndValuesRaw(ifNull(nullIf(JSONExtractRaw(nullIf(if(isValidJSON(ifNull(c2, '')), JSONExtractRaw(ifNull(c2, '')), toJSONString(c2)), ''), {p3:String}), ''), 'null'))), [ifNull(nullIf(JSONExtractRaw(nullIf(if(isValidJSON(ifNull(c2, '')), JSONExtractRaw(ifNull(c2, '')), toJSONString(c2)), ''), {p3:String}), ''), 'null')]) AS c3
