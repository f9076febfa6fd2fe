SELECT _time AS c0, _row AS c1, data.`id` AS c2, multiIf(isNotNull(nullIf(data.`geo.city`.:String, '')), data.`geo.city`.:String, isNotNull(nullIf({p2:String}, '')), {p2:String}, data.`id`.:String) AS c3, coalesce(toJSONString(multiIf(isNotNull(nullIf(nullIf(toJSONString(data.`code`), 'null'), '""')), data.`code`.:Int64, NULL)), toJSONString(multiIf(isNotNull(nullIf(nullIf(toJSONString(data.`code`), 'null'), '""')), data.`code`.:Float64, NULL)), toJSONString(multiIf(isNotNull(nullIf(nullIf(toJSONString(data.`code`), 'null'), '""')), data.`code`.:String, {p3:String})), toString(CAST(multiIf(isNotNull(nullIf(nullIf(toJSONString(data.`code`), 'null'), '""')), CAST(data.`code`.:Bool, 'Nullable(Bool)'), NULL), 'Nullable(Bool)'))) AS c4, multiIf(isNotNull(nullIf({p2:String}, '')), {p2:String}, {p2:String}) AS c5, ifNull(data.`geo.city`.:String, '') AS c6, CAST(if(isNull(data.`method`.:String), NULL, ifNull(transform(lower(data.`method`.:String), ['true', '1', 'false', '0'], [true, true, false, false], CAST(NULL, 'Nullable(Bool)')), false)), 'Nullable(Bool)') AS c7, CAST(if(isNull(toString(data.`size`.:Int64)), NULL, ifNull((data.`size`.:Int64 != 0), false)), 'Nullable(Bool)') AS c8, CAST(CAST(NULL, 'Nullable(Bool)'), 'Nullable(Bool)') AS c9, if(isValidJSON(ifNull(data.`method`.:String, '')), nullIf(JSONExtractRaw(ifNull(data.`method`.:String, '')), ''), NULL) AS c10, if(startsWith(toJSONString(data.`tags`), '{'), toJSONString(JSONExtractKeys(ifNull(toJSONString(data.`tags`), ''))), NULL) AS c11
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
ORDER BY data.`id`.:String NULLS FIRST, _time DESC, _row DESC
LIMIT {p4:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"","p3":"none","p4":"1000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
