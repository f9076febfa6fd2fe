SELECT toInt64(toDayOfWeek({p0:DateTime64(9,'UTC')}, 3) - 1) AS c0, toInt64(toDayOfWeek({p1:DateTime64(9,'UTC')}, 3) - 1) AS c1, CAST(ifNull(toInt64(toDayOfWeek({p0:DateTime64(9,'UTC')}, 3) - 1) IN {p4:Array(Int64)}, false), 'Nullable(Bool)') AS c2, (intDiv(toUnixTimestamp64Nano({p1:DateTime64(9,'UTC')}) + 345600000000000 - positiveModulo(toUnixTimestamp64Nano({p1:DateTime64(9,'UTC')}) + 345600000000000, {p7:Int64}), {p7:Int64}) - intDiv(toUnixTimestamp64Nano({p6:DateTime64(9,'UTC')}) + 345600000000000 - positiveModulo(toUnixTimestamp64Nano({p6:DateTime64(9,'UTC')}) + 345600000000000, {p7:Int64}), {p7:Int64})) AS c3, (intDiv(toUnixTimestamp64Nano({p8:DateTime64(9,'UTC')}) + 345600000000000 - positiveModulo(toUnixTimestamp64Nano({p8:DateTime64(9,'UTC')}) + 345600000000000, {p7:Int64}), {p7:Int64}) - intDiv(toUnixTimestamp64Nano({p1:DateTime64(9,'UTC')}) + 345600000000000 - positiveModulo(toUnixTimestamp64Nano({p1:DateTime64(9,'UTC')}) + 345600000000000, {p7:Int64}), {p7:Int64})) AS c4
FROM system.one
LIMIT {p9:UInt64}
-- {"p0":"2020-02-29 00:00:00.000000000","p1":"2026-01-04 00:00:00.000000000","p4":"[0,6]","p6":"2026-01-03 00:00:00.000000000","p7":"604800000000000","p8":"2026-01-10 00:00:00.000000000","p9":"65000"}
-- count:
SELECT count() AS n
FROM system.one
