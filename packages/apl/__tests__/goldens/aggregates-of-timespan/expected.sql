SELECT accurateCastOrNull(trunc(avg(toNullable(toFloat64(accurateCast(toInt128(toUnixTimestamp64Nano(_time)) - toUnixTimestamp64Nano({p0:DateTime64(9,'UTC')}), 'Nullable(Int64)'))))), 'Int64') AS c0, accurateCast(sum(toInt128(toNullable(accurateCast(toInt128(toUnixTimestamp64Nano(_time)) - toUnixTimestamp64Nano({p0:DateTime64(9,'UTC')}), 'Nullable(Int64)')))), 'Nullable(Int64)') AS c1, max(toNullable(accurateCast(toInt128(toUnixTimestamp64Nano(_time)) - toUnixTimestamp64Nano({p0:DateTime64(9,'UTC')}), 'Nullable(Int64)'))) AS c2, accurateCastOrNull(trunc(if(count(toFloat64(accurateCast(toInt128(toUnixTimestamp64Nano(_time)) - toUnixTimestamp64Nano({p0:DateTime64(9,'UTC')}), 'Nullable(Int64)'))) <= 8192, quantile({p3:Float64})(toFloat64(accurateCast(toInt128(toUnixTimestamp64Nano(_time)) - toUnixTimestamp64Nano({p0:DateTime64(9,'UTC')}), 'Nullable(Int64)'))), quantileTDigest({p3:Float64})(toFloat64(accurateCast(toInt128(toUnixTimestamp64Nano(_time)) - toUnixTimestamp64Nano({p0:DateTime64(9,'UTC')}), 'Nullable(Int64)'))))), 'Int64') AS c3, fromUnixTimestamp64Nano(accurateCastOrNull(trunc(avg(toNullable(toFloat64(toUnixTimestamp64Nano(_time))))), 'Int64'), 'UTC') AS c4
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
HAVING count() >= 0
LIMIT {p4:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p3":"0.5","p4":"65000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
