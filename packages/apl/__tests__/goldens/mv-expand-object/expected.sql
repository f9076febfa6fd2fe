SELECT nullIf(c0, 'null') AS c1
FROM system.one
ARRAY JOIN multiIf(startsWith(ifNull({p0:String}, 'null'), '['), JSONExtractArrayRaw(ifNull({p0:String}, 'null')), startsWith(ifNull({p0:String}, 'null'), '{'), arrayMap(e -> concat('{', toJSONString(e.1), ':', e.2, '}'), JSONExtractKeysAndValuesRaw(ifNull({p0:String}, 'null'))), [ifNull({p0:String}, 'null')]) AS c0
LIMIT {p1:UInt64}
-- {"p0":"{\"a\":1,\"b\":[2]}","p1":"65000"}
-- count:
SELECT count() AS n
FROM system.one
ARRAY JOIN multiIf(startsWith(ifNull({p0:String}, 'null'), '['), JSONExtractArrayRaw(ifNull({p0:String}, 'null')), startsWith(ifNull({p0:String}, 'null'), '{'), arrayMap(e -> concat('{', toJSONString(e.1), ':', e.2, '}'), JSONExtractKeysAndValuesRaw(ifNull({p0:String}, 'null'))), [ifNull({p0:String}, 'null')]) AS c0
