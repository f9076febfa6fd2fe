web
| search kind=case_sensitive 'oslo' or 'Rome'
| project id
