let genai_prices = dynamic({"a-model": [2.5, 10], "gpt-4": [20, 40.5]});
datatable (model:string, input:long, output:long) ['a-model', 1000000, 500000, 'GPT-4', 1000, 1000, 'gpt-3.5-turbo', 2000000, 1000000, 'other', 1, 1, null, 1, 1]
| extend total = genai_cost(model, input, output), in_cost = genai_input_cost(model, input), out_cost = genai_output_cost(model, output), price = genai_get_pricing(model)
