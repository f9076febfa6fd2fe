SELECT _time AS c0, _row AS c1, data.`id` AS c2, nullIf(JSONExtractRaw(nullIf(toJSONString(data.^`geo`), '{}'), {p4:String}), '') AS c3, nullIf(JSONExtractRaw(nullIf(toJSONString(data.^`geo`), '{}'), {p5:String}), '') AS c4, nullIf(JSONExtractRaw(concat('{', toJSONString(ifNull({p3:String}, '')), ':', ifNull(toJSONString(data.`status`.:Int64), 'null'), '}'), {p3:String}), '') AS c5
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (data.`geo.city`.:String = {p2:String})
ORDER BY _time DESC, _row DESC
LIMIT {p6:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"Oslo","p3":"a.b","p4":"city","p5":"planet","p6":"1000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND (data.`geo.city`.:String = {p2:String})
