web
| distinct method, geo.country
