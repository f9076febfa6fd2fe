SELECT JSONExtract(nullIf(c0, 'null'), 'Nullable(String)') AS c2, nullIf(dictGetOrDefault({p8:String}, 'info', toUInt64(dictGetOrDefault({p7:String}, 'place', toIPv6OrDefault(ifNull(JSONExtract(nullIf(c0, 'null'), 'Nullable(String)'), '')), toUInt32(0))), ''), '') AS c3, ifNull(JSONExtract(nullIf(JSONExtractRaw(nullIf(dictGetOrDefault({p8:String}, 'info', toUInt64(dictGetOrDefault({p7:String}, 'place', toIPv6OrDefault(ifNull(JSONExtract(nullIf(c0, 'null'), 'Nullable(String)'), '')), toUInt32(0))), ''), ''), {p9:String}), ''), 'Nullable(String)'), '') AS c4, nullIf(JSONExtractRaw(nullIf(dictGetOrDefault({p8:String}, 'info', toUInt64(dictGetOrDefault({p7:String}, 'place', toIPv6OrDefault(ifNull({p10:String}, '')), toUInt32(0))), ''), ''), {p11:String}), '') AS c5
FROM system.one
ARRAY JOIN {p5:Array(String)} AS c0, arrayEnumerate({p6:Array(String)}) AS c1
ORDER BY c1
LIMIT {p12:UInt64}
-- {"p5":["\"10.1.2.3\"","\"::ffff:10.0.0.1\"","\"2001:db8::1\"","\"11.0.0.1\"","\"x\"","null"],"p6":["","","","","",""],"p7":"geo_networks","p8":"geo_places","p9":"country","p10":"10.255.0.1","p11":"city","p12":"65000"}
-- count:
SELECT count() AS n
FROM system.one
ARRAY JOIN {p5:Array(String)} AS c0
