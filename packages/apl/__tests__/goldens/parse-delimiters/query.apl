print text = 'a=1;b=2;;c^d-e]f|end'
| parse text with key '=' number:long ';' rest ';' * 
| parse text with * '^' d '-' e ']' *
| parse text with * '|' tail
| parse text with none '?' *
| parse text with empty 'a' *
| parse text with * 'b=' two ';' three ';' four '|' five
