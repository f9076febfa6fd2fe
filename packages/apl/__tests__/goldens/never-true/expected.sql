SELECT _time AS c0, _row AS c1, data.`id` AS c2
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND ((toString(data.`status`.:Int64) = {p2:String}) OR (JSONExtract(nullIf(JSONExtractRaw(nullIf(toJSONString(data.^`geo`), '{}'), {p3:String}), ''), 'Nullable(String)') = {p4:String}))
ORDER BY _time DESC, _row DESC
LIMIT {p5:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"abc","p3":"planet","p4":"x","p5":"1000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND ((toString(data.`status`.:Int64) = {p2:String}) OR (JSONExtract(nullIf(JSONExtractRaw(nullIf(toJSONString(data.^`geo`), '{}'), {p3:String}), ''), 'Nullable(String)') = {p4:String}))
