web
| where path != '\'; DROP TABLE ds_web; --' and path != "`x` \\' {p0:String}" and path !contains '%_\\'
| extend ['odd `name` \\ \' "'] = '\\\'; SELECT 1 --'
| project id, ['odd `name` \\ \' "']
