print a = tohex(256), b = tohex(10), c = tohex(-1), d = tohex(0), e = tohex(12345, 8), title = totitle('hello World'), space = url_decode('a+b%20c'),
    sorted = dynamic_to_json(dynamic({"b": 1, "a": [{"z": 1, "y": {"d": 1, "c": 2}}]})), number = dynamic_to_json(5), back = substring('abcdef', -2, 2), far = substring('abcdef', -20, 2)
