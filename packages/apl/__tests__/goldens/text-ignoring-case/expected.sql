SELECT _time AS c0, _row AS c1, data.`id` AS c2, data.`geo.city` AS c3
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND ((replaceAll(lowerUTF8(data.`method`.:String), 'ς', 'σ') = replaceAll(lowerUTF8({p2:String}), 'ς', 'σ')) AND ifNull(replaceAll(lowerUTF8(data.`geo.city`.:String), 'ς', 'σ') != replaceAll(lowerUTF8({p3:String}), 'ς', 'σ'), true))
ORDER BY _time DESC, _row DESC
LIMIT {p4:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"get","p3":"ROME","p4":"1000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')} AND ((replaceAll(lowerUTF8(data.`method`.:String), 'ς', 'σ') = replaceAll(lowerUTF8({p2:String}), 'ς', 'σ')) AND ifNull(replaceAll(lowerUTF8(data.`geo.city`.:String), 'ς', 'σ') != replaceAll(lowerUTF8({p3:String}), 'ς', 'σ'), true))
