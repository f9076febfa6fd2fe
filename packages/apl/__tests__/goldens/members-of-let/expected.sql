SELECT _time AS c0, _row AS c1, data.`id` AS c2
FROM `ds_web`
WHERE _time >= {p2:DateTime64(9,'UTC')} AND _time < {p3:DateTime64(9,'UTC')} AND (((data.`duration`.:Int64 > JSONExtract(nullIf(JSONExtractRaw({p0:String}, {p4:String}, {p5:String}), ''), 'Nullable(Int64)')) OR (data.`duration`.:Float64 > JSONExtract(nullIf(JSONExtractRaw({p0:String}, {p4:String}, {p5:String}), ''), 'Nullable(Int64)'))) AND (_time > {p2:DateTime64(9,'UTC')}))
ORDER BY _time DESC, _row DESC
LIMIT {p9:UInt64}
-- {"p0":"{\"limits\":{\"slow\":100}}","p2":"2026-01-01 00:00:00.000000000","p3":"2026-01-02 00:00:00.000000000","p4":"limits","p5":"slow","p9":"1000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p2:DateTime64(9,'UTC')} AND _time < {p3:DateTime64(9,'UTC')} AND (((data.`duration`.:Int64 > JSONExtract(nullIf(JSONExtractRaw({p0:String}, {p4:String}, {p5:String}), ''), 'Nullable(Int64)')) OR (data.`duration`.:Float64 > JSONExtract(nullIf(JSONExtractRaw({p0:String}, {p4:String}, {p5:String}), ''), 'Nullable(Int64)'))) AND (_time > {p2:DateTime64(9,'UTC')}))
