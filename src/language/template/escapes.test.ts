import { afterEach, expect, test } from "vitest"
import { parseTemplate, renderTemplate } from "./index.ts"

const variables = {
  x: { own: 1 },
  list: [1, 2],
  text: "abc",
  number: 5,
  polluted: JSON.parse('{"__proto__": {"admin": true}, "constructor": "mine", "__class__": "mine"}'),
}

afterEach(() => {
  expect(Object.keys(Object.prototype)).toEqual([])
  expect(({} as Record<string, unknown>).admin).toBeUndefined()
})

test.each([
  "{{ ''.__class__.__mro__[1].__subclasses__() }}",
  "{{ ''['__class__'] }}",
  "{{ ''['__cl' ~ 'ass__'] }}",
  "{{ ''|attr('__class__') }}",
  "{{ [''] | map(attribute='__class__') | list }}",
  "{{ [x] | map(attribute='own.__class__') | list }}",
  "{{ [x] | selectattr('__class__') | list }}",
  "{{ [x] | sort(attribute='__class__') }}",
  "{{ [x] | sum(attribute='__class__') }}",
  "{{ x.__proto__ }}",
  "{{ x['__proto__'] }}",
  "{{ polluted['__proto__'].admin }}",
  "{{ polluted.__class__ }}",
  "{{ x.constructor.constructor('return process')() }}",
  "{{ x.constructor('return 1') }}",
  "{{ text.constructor.prototype }}",
  "{{ list.constructor.constructor('return 1')() }}",
  "{{ number.constructor.constructor('return 1')() }}",
  "{{ range.constructor('return 1')() }}",
  "{{ text.upper.constructor('return 1')() }}",
  "{{ (text.upper).call(text) }}",
  "{{ list.map.call(list) }}",
  "{{ list.push(3) }}",
  "{{ x.hasOwnProperty('own') }}",
  "{{ x.toString() }}",
  "{{ text.at(0) }}",
  "{{ text.format(x) }}",
  "{{ '{0.__class__}'.format(x) }}",
  "{{ '%(__class__)s' | format(a=1) }}",
  "{{ cycler.__init__.__globals__.os.popen('id').read() }}",
  "{{ cycler('a').next() }}",
  "{{ joiner.__init__.__globals__ }}",
  "{{ namespace.__init__.__globals__ }}",
  "{{ namespace(a=1).a }}",
  "{{ lipsum.__globals__['os'] }}",
  "{{ lipsum() }}",
  "{{ dict(a=1) }}",
  "{{ self.__init__ }}",
  "{{ self._TemplateReference__context }}",
  "{{ self() }}",
  "{{ request.application.__globals__ }}",
  "{{ config.items() }}",
  "{{ get_flashed_messages.__globals__ }}",
  "{{ url_for.__globals__ }}",
  "{{ process.env.HOME }}",
  "{{ globalThis.process }}",
  "{{ require('fs') }}",
  "{{ this.constructor }}",
  "{{ eval('1') }}",
  "{% for x in [1] %}{{ loop.__class__ }}{% endfor %}",
  "{% for x in [1] %}{{ loop.attribute.constructor('return 1')() }}{% endfor %}",
  "{% for x in [1] %}{{ loop.items.constructor('return 1')() }}{% endfor %}",
  "{% for x in [1] %}{{ loop.cycle.constructor('return 1')() }}{% endfor %}",
  "{% set x.__proto__ = 1 %}",
  "{% set x['own'] = 1 %}",
])("%s gets nowhere", (text) => {
  const template = parseTemplate(text)
  if (template.type === "template")
    expect(renderTemplate(template, variables)).toMatchObject({ type: "failed" })
})

/** These are ordinary names without a value. */
test.each([
  "{{ x.constructor }}",
  "{{ x.prototype }}",
  "{{ x['constructor'] }}",
  "{{ x.toString }}",
  "{{ list.length }}",
  "{{ list.push }}",
  "{{ text.length }}",
  "{{ text.constructor }}",
  "{{ number.toFixed }}",
  "{{ self }}",
  "{{ constructor }}",
  "{{ __proto__ }}",
  "{{ toString }}",
  "{{ globalThis }}",
  "{{ lipsum }}",
  "{{ x.get('__proto__') or '' }}",
  "{% for x in [1] %}{{ loop.constructor }}{{ loop.type }}{{ loop.toString }}{% endfor %}",
])("199: %s is undefined", (text) => {
  const template = parseTemplate(text)
  if (template.type === "invalid") throw new Error(template.problem.message)
  expect(renderTemplate(template, variables)).toEqual({ type: "text", text: "" })
})

test("what plain data holds under such a name is data", () => {
  const template = parseTemplate(
    "{{ polluted.constructor }} {{ {'__proto__': {'admin': 1}} | tojson }} {{ polluted | length }}",
  )
  if (template.type === "invalid") throw new Error(template.problem.message)
  expect(renderTemplate(template, variables)).toEqual({
    type: "text",
    text: 'mine {"__proto__": {"admin": 1}} 3',
  })
})
