web
| union users
| take 2
