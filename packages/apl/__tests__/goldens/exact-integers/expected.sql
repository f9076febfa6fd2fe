SELECT coalesce(toJSONString(c0), toJSONString(c4)) AS c12, c8 AS c13, coalesce(c0, if(isNotNull(toInt64OrNull(c4)), toInt64OrNull(c4), accurateCastOrNull(trunc(if(isFinite(toFloat64OrNull(c4)), toFloat64OrNull(c4), NULL)), 'Int64'))) AS c14, CAST((ifNull(c0 = {p1:Int64}, false) OR ifNull(ifNull(toInt64OrNull(c4) = {p1:Int64}, if(isFinite(toFloat64OrNull(c4)), toFloat64OrNull(c4), NULL) = {p1:Int64}), false)), 'Nullable(Bool)') AS c15, CAST((NOT (ifNull(c0 = {p1:Int64}, false) OR ifNull(ifNull(toInt64OrNull(c4) = {p1:Int64}, if(isFinite(toFloat64OrNull(c4)), toFloat64OrNull(c4), NULL) = {p1:Int64}), false))), 'Nullable(Bool)') AS c16, CAST(((ifNull(c0 = {p1:Int64}, false) OR ifNull(ifNull(toInt64OrNull(c4) = {p1:Int64}, if(isFinite(toFloat64OrNull(c4)), toFloat64OrNull(c4), NULL) = {p1:Int64}), false)) OR ifNull(coalesce(toFloat64(c0), toFloat64(if(isFinite(toFloat64OrNull(c4)), toFloat64OrNull(c4), NULL))) = {p7:Int64}, false)), 'Nullable(Bool)') AS c17, CAST((ifNull(c0 = c8, false) OR ifNull(ifNull(toInt64OrNull(c4) = c8, if(isFinite(toFloat64OrNull(c4)), toFloat64OrNull(c4), NULL) = c8), false)), 'Nullable(Bool)') AS c18, CAST((c8 = {p6:Int64}), 'Nullable(Bool)') AS c19, if(isNotNull(toInt64OrNull({p9:String})), toInt64OrNull({p9:String}), accurateCastOrNull(trunc(if(isFinite(toFloat64OrNull({p9:String})), toFloat64OrNull({p9:String}), NULL)), 'Int64')) AS c20, if(isNotNull(toInt64OrNull({p8:String})), toInt64OrNull({p8:String}), accurateCastOrNull(trunc(if(isFinite(toFloat64OrNull({p8:String})), toFloat64OrNull({p8:String}), NULL)), 'Int64')) AS c21, if(isNotNull(toInt64OrNull({p10:String})), toInt64OrNull({p10:String}), accurateCastOrNull(trunc(if(isFinite(toFloat64OrNull({p10:String})), toFloat64OrNull({p10:String}), NULL)), 'Int64')) AS c22
FROM (
SELECT NULL AS c0, {p0:String} AS c4, {p1:Int64} AS c8
FROM system.one
UNION ALL
SELECT NULL AS c1, {p2:String} AS c5, {p3:Int64} AS c9
FROM system.one
UNION ALL
SELECT {p1:Int64} AS c2, NULL AS c6, {p4:Int64} AS c10
FROM system.one
UNION ALL
SELECT NULL AS c3, {p5:String} AS c7, {p6:Int64} AS c11
FROM system.one
)
ORDER BY c8
LIMIT {p11:UInt64}
-- {"p0":"9007199254740993","p1":"9007199254740993","p2":"9007199254740992","p3":"1","p4":"2","p5":"x","p6":"9223372036854775807","p7":"5","p8":"9223372036854775807","p9":"7.9","p10":"9223372036854775808","p11":"65000"}
-- count:
SELECT count() AS n
FROM (
SELECT NULL AS c0, {p0:String} AS c4, {p1:Int64} AS c8
FROM system.one
UNION ALL
SELECT NULL AS c1, {p2:String} AS c5, {p3:Int64} AS c9
FROM system.one
UNION ALL
SELECT {p1:Int64} AS c2, NULL AS c6, {p4:Int64} AS c10
FROM system.one
UNION ALL
SELECT NULL AS c3, {p5:String} AS c7, {p6:Int64} AS c11
FROM system.one
)
