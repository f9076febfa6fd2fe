print line = "level:warn code:7 text:'two words'"
| parse-kv line as (level, code:int, text) with (kv_delimiter=':', quote="'")
