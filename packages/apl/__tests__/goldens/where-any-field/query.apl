web
| where * has 'GET' and not(* contains 'oslo') and * !has 'rome'
| project id
