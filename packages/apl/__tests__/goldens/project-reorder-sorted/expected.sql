SELECT {p4:Int64} AS c0, {p3:Int64} AS c1, {p1:Int64} AS c2, {p0:Int64} AS c3, {p2:Int64} AS c4
FROM system.one
LIMIT {p5:UInt64}
-- {"p0":"1","p1":"2","p2":"3","p3":"4","p4":"5","p5":"65000"}
-- count:
SELECT count() AS n
FROM system.one
