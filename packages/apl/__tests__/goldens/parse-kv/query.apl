print line = 'status=500; took = 12.5; msg="a; b"; user=ann'
| parse-kv line as (status: long, took: real, msg, user, absent) with (pair_delimiter=';', kv_delimiter='=')
