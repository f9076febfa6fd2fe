web
| summarize 'how many' = count() by "verb" = method
| project-rename 'n' = ['how many']
| project-keep 'verb', 'n'
