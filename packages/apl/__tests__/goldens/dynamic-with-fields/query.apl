web
| where id == 'a1'
| project d = dynamic({'way': method, 'list': [1, status, "x", null], 'fixed': {'a': [true]}})
