SELECT c0 AS c8, c4 AS c9, JSONExtract(c0, 'Nullable(Int64)') AS c10, CAST(ifNull(ifNull(toInt64OrNull(JSONExtract(c0, 'Nullable(String)')) = {p1:Int64}, JSONExtract(c0, 'Nullable(Float64)') = {p1:Int64}), false), 'Nullable(Bool)') AS c11, CAST(ifNull(ifNull(toInt64OrNull(JSONExtract(c0, 'Nullable(String)')) != {p1:Int64}, JSONExtract(c0, 'Nullable(Float64)') != {p1:Int64}), true), 'Nullable(Bool)') AS c12, CAST((ifNull(ifNull(toInt64OrNull(JSONExtract(c0, 'Nullable(String)')) = {p1:Int64}, JSONExtract(c0, 'Nullable(Float64)') = {p1:Int64}), false) OR ifNull(JSONExtract(c0, 'Nullable(Float64)') = {p7:Int64}, false)), 'Nullable(Bool)') AS c13, CAST(ifNull(ifNull(toInt64OrNull(JSONExtract(c0, 'Nullable(String)')) = c4, JSONExtract(c0, 'Nullable(Float64)') = c4), false), 'Nullable(Bool)') AS c14, CAST((c4 = {p6:Int64}), 'Nullable(Bool)') AS c15, if(isNotNull(toInt64OrNull({p9:String})), toInt64OrNull({p9:String}), accurateCastOrNull(trunc(toFloat64OrNull({p9:String})), 'Int64')) AS c16, if(isNotNull(toInt64OrNull({p8:String})), toInt64OrNull({p8:String}), accurateCastOrNull(trunc(toFloat64OrNull({p8:String})), 'Int64')) AS c17, if(isNotNull(toInt64OrNull({p10:String})), toInt64OrNull({p10:String}), accurateCastOrNull(trunc(toFloat64OrNull({p10:String})), 'Int64')) AS c18
FROM (
SELECT toJSONString({p0:String}) AS c0, {p1:Int64} AS c4
FROM system.one
UNION ALL
SELECT toJSONString({p2:String}) AS c1, {p3:Int64} AS c5
FROM system.one
UNION ALL
SELECT toJSONString({p1:Int64}) AS c2, {p4:Int64} AS c6
FROM system.one
UNION ALL
SELECT toJSONString({p5:String}) AS c3, {p6:Int64} AS c7
FROM system.one
)
ORDER BY c4
LIMIT {p11:UInt64}
-- {"p0":"9007199254740993","p1":"9007199254740993","p2":"9007199254740992","p3":"1","p4":"2","p5":"x","p6":"9223372036854775807","p7":"5","p8":"9223372036854775807","p9":"7.9","p10":"9223372036854775808","p11":"65000"}
-- count:
SELECT count() AS n
FROM (
SELECT toJSONString({p0:String}) AS c0, {p1:Int64} AS c4
FROM system.one
UNION ALL
SELECT toJSONString({p2:String}) AS c1, {p3:Int64} AS c5
FROM system.one
UNION ALL
SELECT toJSONString({p1:Int64}) AS c2, {p4:Int64} AS c6
FROM system.one
UNION ALL
SELECT toJSONString({p5:String}) AS c3, {p6:Int64} AS c7
FROM system.one
)
