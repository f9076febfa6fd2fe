print middle = array_slice(dynamic([1, 2, 3, 4, 5]), 1, 3), ending = array_slice(dynamic([1, 2, 3, 4, 5]), -3, -1), rest = array_slice(dynamic([1, 2, 3, 4, 5]), 2, 100), none = array_slice(dynamic([1, 2, 3]), 2, 1),
    two = array_split(dynamic([1, 2, 3, 4, 5]), 2), three = array_split(dynamic([1, 2, 3, 4, 5]), dynamic([1, 3])), fromEnd = array_split(dynamic([1, 2, 3, 4, 5]), -2),
    total = array_sum(dynamic([1, 2.5, 'x', null])), noTotal = array_sum(dynamic(['a'])), emptyTotal = array_sum(dynamic([]))
