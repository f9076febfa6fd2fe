SELECT {p0:String} AS c0, {p1:String} AS c1, {p2:String} AS c2, {p3:Int64} AS c3, {p4:Float64} AS c4, CAST({p5:Bool}, 'Nullable(Bool)') AS c5, {p6:Int64} AS c6, {p7:DateTime64(9,'UTC')} AS c7, {p8:String} AS c8, NULL AS c9, {p9:Int64} AS c10, {p10:Int64} AS c11, CAST({p11:Bool}, 'Nullable(Bool)') AS c12, {p12:Int64} AS c13
FROM system.one
LIMIT {p13:UInt64}
-- {"p0":"it's \\ \n é","p1":"double","p2":"raw \\d 'quoted'","p3":"12","p4":"1500","p5":true,"p6":"86400000000000","p7":"2026-01-31 12:00:00.500000000","p8":"{\"a\":[1,-2.5,null,\"x\"]}","p9":"255","p10":"5400000000000","p11":false,"p12":"250000000","p13":"65000"}
-- count:
SELECT count() AS n
FROM system.one
