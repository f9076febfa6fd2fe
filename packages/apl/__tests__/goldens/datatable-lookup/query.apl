let people = datatable (user: string, title: string) ['a1', 'Dr', 'zz', 'Prof'];
users
| lookup people on user
| project user, name, title
