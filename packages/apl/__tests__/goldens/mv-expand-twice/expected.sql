SELECT c4 AS c6, c5 AS c7, c3 AS c8, JSONExtract(nullIf(c2, 'null'), 'Nullable(Int64)') AS c9
FROM (
SELECT data.`extra`.:String AS c1, nullIf(c0, 'null') AS c3, _time AS c4, _row AS c5
FROM `ds_web`
ARRAY JOIN multiIf(startsWith(ifNull(toJSONString(data.`tags`), 'null'), '['), JSONExtractArrayRaw(ifNull(toJSONString(data.`tags`), 'null')), startsWith(ifNull(toJSONString(data.`tags`), 'null'), '{'), arrayMap(e -> concat('{', toJSONString(e.1), ':', e.2, '}'), JSONExtractKeysAndValuesRaw(ifNull(toJSONString(data.`tags`), 'null'))), [ifNull(toJSONString(data.`tags`), 'null')]) AS c0
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (data.`id`.:String = {p2:String})
)
ARRAY JOIN multiIf(startsWith(ifNull(nullIf(JSONExtractRaw(nullIf(if(isValidJSON(ifNull(c1, '')), JSONExtractRaw(c1), toJSONString(c1)), ''), {p3:String}), ''), 'null'), '['), JSONExtractArrayRaw(ifNull(nullIf(JSONExtractRaw(nullIf(if(isValidJSON(ifNull(c1, '')), JSONExtractRaw(c1), toJSONString(c1)), ''), {p3:String}), ''), 'null')), startsWith(ifNull(nullIf(JSONExtractRaw(nullIf(if(isValidJSON(ifNull(c1, '')), JSONExtractRaw(c1), toJSONString(c1)), ''), {p3:String}), ''), 'null'), '{'), arrayMap(e -> concat('{', toJSONString(e.1), ':', e.2, '}'), JSONExtractKeysAndValuesRaw(ifNull(nullIf(JSONExtractRaw(nullIf(if(isValidJSON(ifNull(c1, '')), JSONExtractRaw(c1), toJSONString(c1)), ''), {p3:String}), ''), 'null'))), [ifNull(nullIf(JSONExtractRaw(nullIf(if(isValidJSON(ifNull(c1, '')), JSONExtractRaw(c1), toJSONString(c1)), ''), {p3:String}), ''), 'null')]) AS c2
ORDER BY c4 DESC, c5 DESC
LIMIT {p4:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"a1","p3":"seats","p4":"1000"}
-- count:
SELECT count() AS n
FROM (
SELECT data.`extra`.:String AS c1, nullIf(c0, 'null') AS c3, _time AS c4, _row AS c5
FROM `ds_web`
ARRAY JOIN multiIf(startsWith(ifNull(toJSONString(data.`tags`), 'null'), '['), JSONExtractArrayRaw(ifNull(toJSONString(data.`tags`), 'null')), startsWith(ifNull(toJSONString(data.`tags`), 'null'), '{'), arrayMap(e -> concat('{', toJSONString(e.1), ':', e.2, '}'), JSONExtractKeysAndValuesRaw(ifNull(toJSONString(data.`tags`), 'null'))), [ifNull(toJSONString(data.`tags`), 'null')]) AS c0
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (data.`id`.:String = {p2:String})
)
ARRAY JOIN multiIf(startsWith(ifNull(nullIf(JSONExtractRaw(nullIf(if(isValidJSON(ifNull(c1, '')), JSONExtractRaw(c1), toJSONString(c1)), ''), {p3:String}), ''), 'null'), '['), JSONExtractArrayRaw(ifNull(nullIf(JSONExtractRaw(nullIf(if(isValidJSON(ifNull(c1, '')), JSONExtractRaw(c1), toJSONString(c1)), ''), {p3:String}), ''), 'null')), startsWith(ifNull(nullIf(JSONExtractRaw(nullIf(if(isValidJSON(ifNull(c1, '')), JSONExtractRaw(c1), toJSONString(c1)), ''), {p3:String}), ''), 'null'), '{'), arrayMap(e -> concat('{', toJSONString(e.1), ':', e.2, '}'), JSONExtractKeysAndValuesRaw(ifNull(nullIf(JSONExtractRaw(nullIf(if(isValidJSON(ifNull(c1, '')), JSONExtractRaw(c1), toJSONString(c1)), ''), {p3:String}), ''), 'null'))), [ifNull(nullIf(JSONExtractRaw(nullIf(if(isValidJSON(ifNull(c1, '')), JSONExtractRaw(c1), toJSONString(c1)), ''), {p3:String}), ''), 'null')]) AS c2
