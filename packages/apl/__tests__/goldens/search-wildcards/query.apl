web
| search "slow*" or "*sel" or "u?ers" or "*user*" or "fo*bar"
| project id
