SELECT {p2:String} AS c0, {p7:String} AS c1, {p9:String} AS c2, {p11:String} AS c3, {p15:String} AS c4, {p18:String} AS c5, {p23:String} AS c6, toInt64(floor(randCanonical() * greatest({p4:Int64}, 1))) AS c7, CAST(ifNull(toInt64(floor(randCanonical() * greatest({p24:Int64}, 1))) < {p24:Int64}, false), 'Nullable(Bool)') AS c8
FROM system.one
LIMIT {p25:UInt64}
-- {"p2":"[100,200,300,400,500]","p4":"1","p7":"[5,3,1]","p9":"[1,1.25,1.5,1.75,2]","p11":"[]","p15":"[\"2025-07-29T12:00:00Z\",\"2025-07-29T12:15:00Z\",\"2025-07-29T12:30:00Z\",\"2025-07-29T12:45:00Z\",\"2025-07-29T13:00:00Z\"]","p18":"[\"2025-07-29T00:00:00Z\",\"2025-07-29T01:00:00Z\",\"2025-07-29T02:00:00Z\",\"2025-07-29T03:00:00Z\",\"2025-07-29T04:00:00Z\",\"2025-07-29T05:00:00Z\"]","p23":"[\"1.00:00:00.000000000\",\"12:00:00.000000000\",\"00:00:00.000000000\"]","p24":"10","p25":"65000"}
-- count:
SELECT count() AS n
FROM system.one
