let slow = (limit: real, T: (*)) { T | where duration > limit };
let label = (code: long, otherwise: string = 'fine') { iff(code >= 500, 'bad', otherwise) };
let all = () { web };
slow(50, web)
| union (slow(999, (web | where ok == false))), (all() | where id == "a3")
| extend what = label(status), other = label(status, 'good')
| project id, what, other
