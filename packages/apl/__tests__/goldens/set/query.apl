set stricttypes;
set notruncation = true;
web
| where status == 200
| project id
