SELECT c30 AS c34, c32 AS c35, c36 AS c38, c39 AS c41
FROM (
SELECT toJSONString(data.`code`) AS c0, toJSONString(data.`error.codes`) AS c2, data.`error.message`.:String AS c4, data.`extra`.:String AS c6, data.`geo.city`.:String AS c8, data.`geo.country`.:String AS c10, data.`id`.:String AS c12, data.`ip`.:String AS c14, data.`it's`.:String AS c16, data.`method`.:String AS c18, NULL AS c20, data.`path`.:String AS c22, toJSONString(data.`tags`) AS c24, NULL AS c26, data.`when`.:String AS c28, _time AS c30, _row AS c32, NULL AS c36, data.`method` AS c39
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
UNION ALL
SELECT NULL AS c1, NULL AS c3, NULL AS c5, NULL AS c7, NULL AS c9, NULL AS c11, NULL AS c13, NULL AS c15, NULL AS c17, NULL AS c19, data.`name`.:String AS c21, NULL AS c23, NULL AS c25, data.`user`.:String AS c27, NULL AS c29, _time AS c31, _row AS c33, data.`name` AS c37, NULL AS c40
FROM `ds_users`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
)
WHERE (arrayExists(x -> ifNull(hasTokenCaseInsensitive(x, {p2:String}), false), [ifNull(JSONExtract(c0, 'Nullable(String)'), ''), ifNull(JSONExtract(c2, 'Nullable(String)'), ''), ifNull(c4, ''), ifNull(c6, ''), ifNull(c8, ''), ifNull(c10, ''), ifNull(c12, ''), ifNull(c14, ''), ifNull(c16, ''), ifNull(c18, ''), ifNull(c20, ''), ifNull(c22, ''), ifNull(JSONExtract(c24, 'Nullable(String)'), ''), ifNull(c26, ''), ifNull(c28, '')]) OR arrayExists(x -> ifNull(hasTokenCaseInsensitive(x, {p3:String}), false), [ifNull(JSONExtract(c0, 'Nullable(String)'), ''), ifNull(JSONExtract(c2, 'Nullable(String)'), ''), ifNull(c4, ''), ifNull(c6, ''), ifNull(c8, ''), ifNull(c10, ''), ifNull(c12, ''), ifNull(c14, ''), ifNull(c16, ''), ifNull(c18, ''), ifNull(c20, ''), ifNull(c22, ''), ifNull(JSONExtract(c24, 'Nullable(String)'), ''), ifNull(c26, ''), ifNull(c28, '')]))
ORDER BY c30 DESC, c32 DESC
LIMIT {p4:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"Ada","p3":"GET","p4":"1000"}
-- count:
SELECT count() AS n
FROM (
SELECT toJSONString(data.`code`) AS c0, toJSONString(data.`error.codes`) AS c2, data.`error.message`.:String AS c4, data.`extra`.:String AS c6, data.`geo.city`.:String AS c8, data.`geo.country`.:String AS c10, data.`id`.:String AS c12, data.`ip`.:String AS c14, data.`it's`.:String AS c16, data.`method`.:String AS c18, NULL AS c20, data.`path`.:String AS c22, toJSONString(data.`tags`) AS c24, NULL AS c26, data.`when`.:String AS c28, _time AS c30, _row AS c32
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
UNION ALL
SELECT NULL AS c1, NULL AS c3, NULL AS c5, NULL AS c7, NULL AS c9, NULL AS c11, NULL AS c13, NULL AS c15, NULL AS c17, NULL AS c19, data.`name`.:String AS c21, NULL AS c23, NULL AS c25, data.`user`.:String AS c27, NULL AS c29, _time AS c31, _row AS c33
FROM `ds_users`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
)
WHERE (arrayExists(x -> ifNull(hasTokenCaseInsensitive(x, {p2:String}), false), [ifNull(JSONExtract(c0, 'Nullable(String)'), ''), ifNull(JSONExtract(c2, 'Nullable(String)'), ''), ifNull(c4, ''), ifNull(c6, ''), ifNull(c8, ''), ifNull(c10, ''), ifNull(c12, ''), ifNull(c14, ''), ifNull(c16, ''), ifNull(c18, ''), ifNull(c20, ''), ifNull(c22, ''), ifNull(JSONExtract(c24, 'Nullable(String)'), ''), ifNull(c26, ''), ifNull(c28, '')]) OR arrayExists(x -> ifNull(hasTokenCaseInsensitive(x, {p3:String}), false), [ifNull(JSONExtract(c0, 'Nullable(String)'), ''), ifNull(JSONExtract(c2, 'Nullable(String)'), ''), ifNull(c4, ''), ifNull(c6, ''), ifNull(c8, ''), ifNull(c10, ''), ifNull(c12, ''), ifNull(c14, ''), ifNull(c16, ''), ifNull(c18, ''), ifNull(c20, ''), ifNull(c22, ''), ifNull(JSONExtract(c24, 'Nullable(String)'), ''), ifNull(c26, ''), ifNull(c28, '')]))
