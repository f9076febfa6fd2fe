SELECT _time AS c2, _row AS c3, data.`id` AS c4, nullIf(c0, 'null') AS c5
FROM `ds_web`
ARRAY JOIN if(notEmpty(dynamicElement(data.`tags`, 'Array(Nullable(String))')), arrayMap(i -> ifNull(toJSONString(i), 'null'), dynamicElement(data.`tags`, 'Array(Nullable(String))')), multiIf(startsWith(ifNull(toJSONString(data.`tags`), 'null'), '['), JSONExtractArrayRaw(ifNull(toJSONString(data.`tags`), 'null')), startsWith(ifNull(toJSONString(data.`tags`), 'null'), '{'), arrayMap(e -> concat('{', toJSONString(e.1), ':', e.2, '}'), JSONExtractKeysAndValuesRaw(ifNull(toJSONString(data.`tags`), 'null'))), [ifNull(toJSONString(data.`tags`), 'null')])) AS c0
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
ORDER BY _time DESC, _row DESC
LIMIT {p2:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"1000"}
-- count:
SELECT count() AS n
FROM `ds_web`
ARRAY JOIN if(notEmpty(dynamicElement(data.`tags`, 'Array(Nullable(String))')), CAST(dynamicElement(data.`tags`, 'Array(Nullable(String))'), 'Array(Nullable(String))'), arrayMap(i -> JSONExtract(i, 'Nullable(String)'), multiIf(startsWith(ifNull(toJSONString(data.`tags`), 'null'), '['), JSONExtractArrayRaw(ifNull(toJSONString(data.`tags`), 'null')), startsWith(ifNull(toJSONString(data.`tags`), 'null'), '{'), arrayMap(e -> concat('{', toJSONString(e.1), ':', e.2, '}'), JSONExtractKeysAndValuesRaw(ifNull(toJSONString(data.`tags`), 'null'))), [ifNull(toJSONString(data.`tags`), 'null')]))) AS c1
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
