SELECT c4 AS c20, c19 AS c21, CAST((NOT false), 'Nullable(Bool)') AS c22
FROM (
SELECT c0 AS c4, c15 AS c19
FROM (
SELECT {p0:Int64} AS c0, {p1:String} AS c15
FROM system.one
UNION ALL
SELECT {p2:Int64} AS c1, {p3:String} AS c16
FROM system.one
UNION ALL
SELECT {p2:Int64} AS c2, {p4:String} AS c17
FROM system.one
UNION ALL
SELECT {p5:Int64} AS c3, {p6:String} AS c18
FROM system.one
)
) AS t2
LEFT SEMI JOIN (
SELECT c5 AS c9, c10 AS c14
FROM (
SELECT {p2:Int64} AS c5, {p7:String} AS c10
FROM system.one
UNION ALL
SELECT {p2:Int64} AS c6, {p8:String} AS c11
FROM system.one
UNION ALL
SELECT {p5:Int64} AS c7, {p9:String} AS c12
FROM system.one
UNION ALL
SELECT {p10:Int64} AS c8, {p11:String} AS c13
FROM system.one
)
) AS t3 ON c4 = c9
ORDER BY c4, c19
LIMIT {p12:UInt64}
-- {"p0":"1","p1":"x","p2":"2","p3":"y","p4":"y2","p5":"3","p6":"z","p7":"p","p8":"q","p9":"r","p10":"4","p11":"s","p12":"65000"}
-- count:
SELECT count() AS n
FROM (
SELECT c0 AS c4, c15 AS c19
FROM (
SELECT {p0:Int64} AS c0, {p1:String} AS c15
FROM system.one
UNION ALL
SELECT {p2:Int64} AS c1, {p3:String} AS c16
FROM system.one
UNION ALL
SELECT {p2:Int64} AS c2, {p4:String} AS c17
FROM system.one
UNION ALL
SELECT {p5:Int64} AS c3, {p6:String} AS c18
FROM system.one
)
) AS t0
LEFT SEMI JOIN (
SELECT c5 AS c9, c10 AS c14
FROM (
SELECT {p2:Int64} AS c5, {p7:String} AS c10
FROM system.one
UNION ALL
SELECT {p2:Int64} AS c6, {p8:String} AS c11
FROM system.one
UNION ALL
SELECT {p5:Int64} AS c7, {p9:String} AS c12
FROM system.one
UNION ALL
SELECT {p10:Int64} AS c8, {p11:String} AS c13
FROM system.one
)
) AS t1 ON c4 = c9
