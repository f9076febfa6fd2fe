/**
 * Functions on conversations with language models: arrays of messages `{"role", "content", "tool_calls"}`. What is not there is the
 * empty text. Deliberately not here: what they cost, because prices go stale and then make wrong sums.
 */
import { json, typed, type Value } from '../sql/value.ts'
import { direct, type FunctionDefinition, type FunctionTable, special } from './definition.ts'
import { arrayOf, itemsOf } from './json.ts'

const member = (message: string, name: string) => `ifNull(JSONExtract(${message}, '${name}', 'Nullable(String)'), '')`
const roleOf = (message: string) => member(message, 'role')
const contentOf = (message: string) => member(message, 'content')
/** What a message brings with it; '' where that is nothing. */
const callsOf = (message: string) =>
  `if(JSONLength(${message}, 'tool_calls') > 0, JSONExtractRaw(${message}, 'tool_calls'), if(startsWith(JSONExtractRaw(${message}, 'function_call'), '{'), concat('[{"type":"function","function":', JSONExtractRaw(${message}, 'function_call'), '}]'), ''))`
const isResult = (message: string) => `${roleOf(message)} IN ('tool', 'function')`

/** From the messages of a conversation, as an array of JSON texts. */
const fromMessages = (returns: 'string' | 'boolean', sql: (messages: string) => string): FunctionDefinition =>
  direct('messages:json', returns, (messages) => sql(itemsOf(messages as string)))

/** The content of the first or the last message with a role; of no message it is empty. */
const contentBy = (find: 'arrayFirst' | 'arrayLast', isWanted: string) => (messages: string) =>
  contentOf(`${find}(m -> ${isWanted}, ${messages})`)

/** The message at a place, from 0. */
const at = (sql: (message: string) => string) =>
  special('messages:json index:integer', ({ arguments: [messages, index] }) => {
    const place = `ifNull(${index?.as('integer')}, -1)`
    return typed(
      'string',
      `if(${place} < 0, '', ${sql(`arrayElement(${itemsOf((messages as Value).as('json'))}, ${place} + 1)`)})`,
    )
  })

const isRole = (...roles: string[]) => `${roleOf('m')} IN (${roles.map((role) => `'${role}'`).join(', ')})`

const QUESTION = "dynamic([{'role': 'user', 'content': 'Hi'}])"
const CHAT = "dynamic([{'role': 'user', 'content': 'Hi'}, {'role': 'assistant', 'content': 'Hello'}])"

export const GENAI_FUNCTIONS: FunctionTable = {
  genai_concat_contents: special('messages:json separator:text?', ({ arguments: [messages, separator] }) => {
    const between = separator ? `ifNull(${separator.as('text')}, ' ')` : "' '"
    const contents = `arrayMap(m -> ${contentOf('m')}, ${itemsOf((messages as Value).as('json'))})`
    // The engine joins with a constant only.
    const joined = `arrayStringConcat(arrayMap((t, i) -> if(i = 1, t, concat(${between}, t)), ${contents}, arrayEnumerate(${contents})))`
    return typed('string', joined)
  }).shows(`genai_concat_contents(${CHAT}, ' / ')`, 'Hi / Hello'),
  genai_extract_assistant_response: fromMessages('string', contentBy('arrayLast', isRole('assistant'))).shows(
    `genai_extract_assistant_response(${CHAT})`,
    'Hello',
  ),
  genai_extract_system_prompt: fromMessages('string', contentBy('arrayFirst', isRole('system'))).shows(
    "genai_extract_system_prompt(dynamic([{'role': 'system', 'content': 'Be brief.'}]))",
    'Be brief.',
  ),
  genai_extract_user_prompt: fromMessages('string', contentBy('arrayLast', isRole('user'))).shows(
    `genai_extract_user_prompt(${CHAT})`,
    'Hi',
  ),
  genai_extract_tool_calls: special('messages:json', ({ arguments: [messages] }) => {
    const calls = `arrayFlatten(arrayMap(m -> JSONExtractArrayRaw(${callsOf('m')}), ${itemsOf((messages as Value).as('json'))}))`
    return json(`if(empty(${calls}), NULL, ${arrayOf(calls)})`, 'array')
  }).shows("genai_extract_tool_calls(dynamic([{'role': 'assistant', 'tool_calls': [{'id': 'c1'}]}]))", [{ id: 'c1' }]),
  // The content of the last result; JSON in a text is read.
  genai_extract_function_results: special('messages:json', ({ arguments: [messages] }) => {
    const last = `arrayLast(m -> ${isResult('m')}, ${itemsOf((messages as Value).as('json'))})`
    const content = contentOf(last)
    return json(`if(${last} = '', NULL, if(isValidJSON(${content}), ${content}, JSONExtractRaw(${last}, 'content')))`)
  }).shows("genai_extract_function_results(dynamic([{'role': 'tool', 'content': '{\"degrees\": 4}'}]))", { degrees: 4 }),
  genai_get_content_by_index: at(contentOf).shows(`genai_get_content_by_index(${QUESTION}, 0)`, 'Hi'),
  genai_get_content_by_role: special('messages:json role:text', ({ arguments: [messages, role] }) => {
    const isWanted = `${roleOf('m')} = ifNull(${role?.as('text')}, '')`
    return typed('string', contentBy('arrayFirst', isWanted)(itemsOf((messages as Value).as('json'))))
  }).shows(`genai_get_content_by_role(${QUESTION}, 'user')`, 'Hi'),
  genai_get_role: at(roleOf).shows(`genai_get_role(${QUESTION}, 0)`, 'user'),
  genai_has_tool_calls: fromMessages('boolean', (messages) => `arrayExists(m -> ${callsOf('m')} != '', ${messages})`).shows(
    `genai_has_tool_calls(${QUESTION})`,
    false,
  ),
  genai_message_roles: special('messages:json', ({ arguments: [messages] }) => {
    const a = (messages as Value).as('json')
    return json(`if(startsWith(${a}, '['), toJSONString(arrayMap(m -> ${roleOf('m')}, ${itemsOf(a)})), NULL)`, 'array')
  }).shows(`genai_message_roles(${CHAT})`, ['user', 'assistant']),
}
