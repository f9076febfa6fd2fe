SELECT _time AS c0, _row AS c1, data.`id` AS c2, accurateCast(toInt128(toUnixTimestamp64Nano(_time)) - toUnixTimestamp64Nano({p0:DateTime64(9,'UTC')}), 'Nullable(Int64)') AS c3, fromUnixTimestamp64Nano(accurateCastOrNull(toInt128(toUnixTimestamp64Nano(_time)) + {p2:Int64}, 'Int64'), 'UTC') AS c4, fromUnixTimestamp64Nano(accurateCastOrNull(toInt128(toUnixTimestamp64Nano(_time)) - {p3:Int64}, 'Int64'), 'UTC') AS c5, accurateCastOrNull(trunc((toFloat64({p4:Int64}) * toFloat64(accurateCast(toInt128(toUnixTimestamp64Nano(_time)) - toUnixTimestamp64Nano({p0:DateTime64(9,'UTC')}), 'Nullable(Int64)')))), 'Int64') AS c6, divideOrNull(toFloat64(accurateCast(toInt128(toUnixTimestamp64Nano(_time)) - toUnixTimestamp64Nano({p0:DateTime64(9,'UTC')}), 'Nullable(Int64)')), toFloat64({p5:Int64})) AS c7, toInt64(positiveModuloOrNull(accurateCast(toInt128(toUnixTimestamp64Nano(_time)) - toUnixTimestamp64Nano({p0:DateTime64(9,'UTC')}), 'Nullable(Int64)'), {p5:Int64})) AS c8, {p3:Int64} AS c9, accurateCast(negate(toInt128(accurateCast(toInt128(toUnixTimestamp64Nano(_time)) - toUnixTimestamp64Nano({p7:DateTime64(9,'UTC')}), 'Nullable(Int64)'))), 'Nullable(Int64)') AS c10
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
ORDER BY _time DESC, _row DESC
LIMIT {p8:UInt64}
-- {"p0":"2026-01-01 00:00:00.000000000","p1":"2026-01-02 00:00:00.000000000","p2":"86400000000000","p3":"5400000000000","p4":"2","p5":"3600000000000","p7":"2026-01-01 03:00:00.000000000","p8":"1000"}
-- count:
SELECT count() AS n
FROM `ds_web`
WHERE _time >= {p0:DateTime64(9,'UTC')} AND _time < {p1:DateTime64(9,'UTC')}
