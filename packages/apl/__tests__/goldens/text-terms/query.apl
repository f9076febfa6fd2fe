web
| where path has 'FOO' or path has 'users/1' or path has_cs 'Home' or path hasprefix 'hom' or path hasprefix_cs 'Ho' or path hassuffix 'ser' or path hassuffix_cs 'bar'
| where path !has 'x' and path !has_cs 'y' and path !hasprefix 'zz' and path !hasprefix_cs 'ww' and path !hassuffix 'q9' and path !hassuffix_cs 'q8'
| project id, path
