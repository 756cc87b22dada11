import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { parse } from "yaml"
import { rounds } from "../../../../test/rounds.ts"
import { formats } from "../index.ts"
import { readDocument } from "./document.ts"
import { applyEdits, repairYaml } from "./repair.ts"
import { readYaml } from "./yaml.ts"

const known = new Set(["name", "description", "tools", "model", "color"])

const repaired = (yaml: string) => {
  const edits = repairYaml(yaml, known)
  const result = edits && readYaml(applyEdits(yaml, edits))
  return result?.type === "value" ? result.value : undefined
}

describe("what real files get wrong is mended, and says what its author meant", () => {
  test.each([
    [
      "an unquoted colon",
      "name: a\ndescription: Use this when: the user asks\ntools: Read\n",
      { name: "a", description: "Use this when: the user asks", tools: "Read" },
    ],
    [
      "example blocks at column 0",
      'name: a\ndescription: Use it.\n\n<example>\nContext: A test\nuser: "Run it"\nassistant: "Done"\n</example>\ncolor: pink\n',
      {
        name: "a",
        description: 'Use it.\n\n<example>\nContext: A test\nuser: "Run it"\nassistant: "Done"\n</example>',
        color: "pink",
      },
    ],
    ["a star for all tools", "name: a\ntools: *\n", { name: "a", tools: "*" }],
    [
      "quotes inside quotes",
      'name: a\ndescription: "Say "hello" to: them"\n',
      { name: "a", description: 'Say "hello" to: them' },
    ],
    [
      "literal backslash-n in an unquoted text stays as it is",
      "description: First: this\\nThen: that\nname: a\n",
      { description: "First: this\\nThen: that", name: "a" },
    ],
    [
      "Windows line ends",
      "name: a\r\ndescription: Use when: now\r\n",
      { name: "a", description: "Use when: now" },
    ],
    ["an apostrophe", "description: It's when: now\n", { description: "It's when: now" }],
  ])("%s", (_, yaml, expected) => {
    expect(readYaml(yaml).type).toBe("invalid")
    expect(repaired(yaml)).toEqual(expected)
  })
})

test("only the entries that do not read are touched: comments, order and spacing of the rest stay", () => {
  const yaml = "# who\nname:   a   # short\ndescription: Use when: now\ntools: [Read,  Grep]\n"
  expect(applyEdits(yaml, repairYaml(yaml, known)!)).toBe(
    "# who\nname:   a   # short\ndescription: 'Use when: now'\ntools: [Read,  Grep]\n",
  )
})

test.each(["name: a\nname: b\n", "just text without any key: or: so\n[", "name: [a\n"])(
  "what cannot be mended is not: %j",
  (yaml) => {
    const edits = repairYaml(yaml, known)
    if (edits) expect(readYaml(applyEdits(yaml, edits)).type).toBe("value")
    else expect(edits).toBeUndefined()
  },
)

test("119: a duplicate key is never mended into one of the two", () => {
  expect(repaired("tools: Read\ntools: Bash\n")).toBeUndefined()
})

test.each([
  ["a list that is not closed", "tools: [Read, Bash\nname: x"],
  ["a tag", "name: !!js/function x"],
  ["an anchor", "name: &a b: c"],
])("%s is not made into text", (_, yaml) => {
  expect(repairYaml(yaml, new Set(["name", "tools"]))).toBeUndefined()
})

test.each([
  ["a comment is not made into tools", "tools: @Read, Grep # , Bash"],
  ["a list of denials is not made into text", "toolsDeny:\n  - Bash\n  - Write: x: y"],
])("%s", (_, yaml) => {
  expect(repairYaml(`name: a\n${yaml}\n`, new Set(["name", "tools", "toolsDeny"]))).toBeUndefined()
})

/** The values of a repaired file, as two strict readers read them. */
function mended(yaml: string) {
  const { values, repaired } = readDocument(yaml, "yaml", known)
  if (!repaired) return { values, text: yaml }
  const text = applyEdits(yaml, repairYaml(yaml, known) ?? [])
  expect(parse(text, { strict: true, uniqueKeys: true, schema: "core" })).toEqual(values)
  expect(readDocument(text, "yaml", known)).toMatchObject({ values, repaired: false, problems: [] })
  return { values, text }
}

describe("a description goes on over lines that look like keys, until a key of the format", () => {
  test.each([
    [
      "speakers below a broken first line",
      'description: Use it. Context: x\nuser: "hi"\nassistant: "ho"\ntools: Read',
      { description: 'Use it. Context: x\nuser: "hi"\nassistant: "ho"', tools: "Read" },
    ],
    [
      "speakers of any name",
      'description: Use it: now\nDaisy: "hi"\nBob: "ho"\n<commentary>\nGood.\n</commentary>\ncolor: red',
      {
        description: 'Use it: now\nDaisy: "hi"\nBob: "ho"\n<commentary>\nGood.\n</commentary>',
        color: "red",
      },
    ],
    [
      "the same words twice",
      "description: Use it\nuser: a\nassistant: b\nuser: c\nassistant: d\nmodel: opus",
      { description: "Use it\nuser: a\nassistant: b\nuser: c\nassistant: d", model: "opus" },
    ],
    [
      "an example that is valid YAML",
      'description: Use it.\nContext: a test\nuser: "hi"\nassistant: "ho"\ntools: Read',
      { description: 'Use it.\nContext: a test\nuser: "hi"\nassistant: "ho"', tools: "Read" },
    ],
    [
      "words before a colon that is valid YAML",
      "description: Reviews code.\nUse it when: the user asks\ntools: Read",
      { description: "Reviews code.\nUse it when: the user asks", tools: "Read" },
    ],
    [
      "indented lines that are valid YAML",
      "description:\n  Use it: now\n  user: hi\ntools: Read",
      { description: "Use it: now\nuser: hi", tools: "Read" },
    ],
    [
      "a list",
      "description: Use it for:\n- one\n- two: x\ntools:\n- Read\n- Grep",
      { description: "Use it for:\n- one\n- two: x", tools: ["Read", "Grep"] },
    ],
    [
      "blank lines, headings and numbers",
      "description: Use it: now\n\n# Why\n\nmore\n#123 is fixed\ntools: Read",
      { description: "Use it: now\n\n# Why\n\nmore\n#123 is fixed", tools: "Read" },
    ],
    [
      "a comment between two speakers",
      'description: Use it: now\nDaisy: "hi"\n# Then\nBob: "ho"\ntools: Read',
      { description: 'Use it: now\nDaisy: "hi"\nBob: "ho"', tools: "Read" },
    ],
    [
      "a block that is not indented",
      "description: |\nUse it: now\nuser: hi\n</example>\ntools: Read",
      { description: "Use it: now\nuser: hi\n</example>\n", tools: "Read" },
    ],
    [
      "a block of which a part is not indented",
      "description: |-\n    Use it: now\n\n<example>\n      user: hi\n</example>\ntools: Read",
      { description: "Use it: now\n\n<example>\n  user: hi\n</example>", tools: "Read" },
    ],
    [
      "a folded block that is not indented",
      "description: >\n  Use it: now\nand then\n\nlast\ntools: Read",
      { description: "Use it: now and then\nlast\n", tools: "Read" },
    ],
    [
      "tabs",
      "description: Use it: now\n\tuser: hi\n\t\tx\ntools:\n\t- Read\n\t- Grep",
      { description: "Use it: now\nuser: hi\n\tx", tools: ["Read", "Grep"] },
    ],
    [
      "Windows lines",
      "description: Use it: now\r\nuser: hi\r\n\r\n<b>\r\ntools: Read\r",
      { description: "Use it: now\nuser: hi\n\n<b>", tools: "Read" },
    ],
    [
      "a quote that is never closed",
      'description: "Use it: now\nuser: "hi"\ntools: Read',
      { description: 'Use it: now\nuser: "hi"', tools: "Read" },
    ],
    [
      "a quote that is closed early",
      'description: "Fix it" means: run "that"\ntools: Read',
      { description: '"Fix it" means: run "that"', tools: "Read" },
    ],
    [
      "quotes around several lines",
      'description: "Use it.\\nNow:\nuser: \\"hi\\"\n"\ntools: Read',
      { description: 'Use it.\nNow: user: "hi" ', tools: "Read" },
    ],
    [
      "keys without a space",
      "description:Use it: now\ntools:Read, Grep\nmodel:opus",
      { description: "Use it: now", tools: "Read, Grep", model: "opus" },
    ],
    [
      "no-break spaces",
      "description:\u00a0Use it: now\ntools:\u00a0[Read]",
      { description: "Use it: now", tools: ["Read"] },
    ],
    [
      "front matter that is indented",
      "  description: Use it: now\n  <example>\n  user: x\n  </example>\n  tools: Read",
      { description: "Use it: now\n<example>\nuser: x\n</example>", tools: "Read" },
    ],
    [
      "characters that readers take for line ends",
      "description: Use it: a\u0085b\u2028c 😀\ntools: Read",
      { description: "Use it: a\u0085b\u2028c 😀", tools: "Read" },
    ],
    [
      "the name after it",
      "description: Use it: now\nuser: hi\nname: a",
      { description: "Use it: now\nuser: hi", name: "a" },
    ],
    [
      "what looks like a tool, in the middle of it",
      "description: Use it: now\nTool: Bash\nWorkflow: go\n</example>\ntools: Read",
      { description: "Use it: now\nTool: Bash\nWorkflow: go\n</example>", tools: "Read" },
    ],
  ])("%s", (_, yaml, expected) => {
    expect(mended(`${yaml}\n`).values).toEqual(expected)
  })
})

describe("keys that other tools write are no part of a description", () => {
  test.each([
    [
      "after a broken first line",
      "description: Use it: now\nemoji: x\nvibe: y: z\ntools: Read",
      { description: "Use it: now", emoji: "x", vibe: "y: z", tools: "Read" },
    ],
    [
      "after an example",
      "description: Use it:\n<example>\nuser: hi\n</example>\nversion: 1.0.0\ntags: [a, b]",
      {
        description: "Use it:\n<example>\nuser: hi\n</example>",
        version: "1.0.0",
        tags: ["a", "b"],
      },
    ],
    [
      "where something else is broken",
      "description: Reviews.\nteam: x\nauthor: bob\ntools: *",
      { description: "Reviews.", team: "x", author: "bob", tools: "*" },
    ],
    [
      "below a comment",
      "description: Use it: now\n# house keeping\nteam: x\nshift: 2\ntools: Read",
      { description: "Use it: now", team: "x", shift: 2, tools: "Read" },
    ],
    [
      "in valid YAML",
      "description: Reviews.\nauthor: x\nuser: bob",
      { description: "Reviews.", author: "x", user: "bob" },
    ],
    ...[
      "version: 1.0",
      "emoji: 🤖",
      "vibe: calm",
      "category: finance",
      "tags: a, b",
      "last-updated: today",
      "x_internal: yes",
      "ownerTeam: core",
      "retries: 3",
      "beta2: true",
      "paths: [a, b]",
      "docs2: https://example.com",
      "'customer': Bob",
      "modle: opus",
      "Model: opus",
    ].map((line): [string, string, object] => [
      line,
      `description: Reviews, well\n${line}`,
      { description: "Reviews, well", ...(parse(line) as object) },
    ]),
    [
      "after a text in quotes",
      'description: "Reviews."\ncustomer: bob',
      { description: "Reviews.", customer: "bob" },
    ],
    [
      "after a block",
      "description: |-\n  Reviews.\n  # Heading\ncustomer: bob",
      { description: "Reviews.\n# Heading", customer: "bob" },
    ],
    [
      "with something below them, after a whole text",
      "description: Reviews.\nlevels:\n  low: 1\nname: a: b",
      { description: "Reviews.", levels: { low: 1 }, name: "a: b" },
    ],
    [
      "and values of another type stay what they are",
      "description: {a: 1}\nname: [b]",
      { description: { a: 1 }, name: ["b"] },
    ],
    ["nor is a list made into text", "description:\n- one\n- two", { description: ["one", "two"] }],
    [
      "with brackets that are no list",
      "name: a\nargument-hint: [file] [--all]\ndescription: Reviews.",
      { name: "a", "argument-hint": "[file] [--all]", description: "Reviews." },
    ],
  ])("%s", (_, yaml, expected) => {
    expect(mended(`${yaml}\n`).values).toEqual(expected)
  })
})

describe("an unquoted description goes on over valid YAML, too, up to a key", () => {
  test.each([
    ["a word in capitals", ["Customer: I want this", "Agent: ok"]],
    ["words that no tool has", ["step: look", "result: seen"]],
    ["one speaker alone", ["user: do it"]],
    ["somebody who answers", ["customer: I want this", "agent: ok"]],
    ["an example with a tool's word in it", ["user: do it", "status: busy", "assistant: done"]],
    ["after a blank line", ["", "Question: why"]],
  ])("%s", (_, lines) => {
    const text = ["Use it, x", ...lines].join("\n")
    expect(mended(`description: ${text}\ntools: Read\n`).values).toEqual({ description: text, tools: "Read" })
    expect(mended(`description: ${text}\nauthor: Bob\ntools: Read\n`).values).toEqual({
      description: text,
      author: "Bob",
      tools: "Read",
    })
  })
})

test("keys of every format are known as keys in all others, or narrow the agent", () => {
  const keys = formats.flatMap(({ fields }) => fields.flatMap(({ key, aliases = [] }) => [key, ...aliases]))
  // Words of an example count as text, too, beside the line of a speaker.
  const ofText = keys.filter(
    (key) => mended(`description: Does it\n${key}: some words\n`).values?.[key] === undefined,
  )
  expect([...new Set(ofText)].filter((key) => key !== "description")).toEqual(["result"])
})

test.each([
  'description: "quoted"\nuser: "y"\ntools: Read\n',
  'description: "quoted: text"\nuser: "y"\ntools: Read\n',
  "description: 'quoted: text'\nuser: y\nassistant: z\ncontext: a\n",
  'description: "quoted\n  text: more"\nuser: "y"\nassistant: "z"\n',
])("a quoted description ends with its quote: %j", (keys) => {
  const yaml = `name: a\n${keys}`
  expect(readDocument(yaml, "yaml", known).values).toEqual(parse(yaml))
})

describe("comments are no part of a description, and are kept as comments", () => {
  test.each([
    ["before a line like a key", "Use it: when", ["# TODO: shorten this", "user: hi"]],
    ["in valid YAML", "Use it when", ["# TODO: shorten this", "user: hi"]],
    ["between two speakers", "Use it: when", ["user: hi", "# why", "assistant: ho"]],
    ["between two speakers in valid YAML", "Use it when", ["user: hi", "# why", "assistant: ho"]],
    ["several", "Use it: when", ["# one", "# two", "user: hi", "", "# three", "bot: ho"]],
    ["indented", "Use it: when", ["  # TODO: shorten this", "user: hi"]],
    ["a key that was taken out", "Use it: when", ["# model: opus", "more text"]],
    ["a note above text", "Use it: when", ["# TODO: shorten this", "more text"]],
  ])("%s", (_, first, lines) => {
    const { values, text } = mended(`name: a\ndescription: ${[first, ...lines].join("\n")}\ntools: Read\n`)
    const isComment = (line: string) => line.trimStart().startsWith("#")
    const description = [first, ...lines.filter((line) => !isComment(line))].join("\n")
    expect(values).toEqual({ name: "a", description, tools: "Read" })
    expect(text).toContain(`name: a\n${lines.filter(isComment).join("\n")}\ndescription: |-\n  ${first}`)
  })

  test("a heading with text below it, or in an indented block, is text", () => {
    expect(mended("description: Use it: when\n# Why\nBecause.\n").values).toEqual({
      description: "Use it: when\n# Why\nBecause.",
    })
    expect(
      mended("description: |\n  Use it: when\n  # Why\n  user: hi\nuser: ho\nbot: x: y\n").values,
    ).toEqual({
      description: expect.stringContaining("Use it: when\n# Why\nuser: hi"),
    })
  })
})

test("a comment between two keys stays a comment", () => {
  const yaml =
    "# top\ndescription: Use it: now\n\n# what it needs\n#tools: Bash\ntools: *\n# , Bash\n\n  # end\n"
  expect(mended(yaml)).toEqual({
    values: { description: "Use it: now", tools: "*" },
    text: "# top\ndescription: 'Use it: now'\n\n# what it needs\n#tools: Bash\ntools: '*'\n# , Bash\n\n  # end\n",
  })
})

test.each([
  ["a key in other letters", "description: Use it: now\nTools: Read\n", { Tools: "Read" }],
  [
    "another tool's key",
    "description: Use it: now\nuser: hi\nallowed-tools: Read\n",
    { "allowed-tools": "Read" },
  ],
  ["hooks", "description: Use it: now\nhooks:\n  PreToolUse: []\n", { hooks: { PreToolUse: [] } }],
])("text does not swallow what would narrow the agent: %s", (_, yaml, expected) => {
  expect(mended(yaml).values).toMatchObject(expected)
})

test.each([
  ["a key that narrows, with text below it", "description: Use it: now\nallowed-tools: Read\n</example>\n"],
  ["a key in other letters, with text below it", "description: Use it: now\nTools: Read\nmore\n"],
  ["a known key that is written twice", "name: a\ndescription: Use it: now\nname: b\n"],
  ["two documents", "name: a\ndescription: Use it: now\n---\nuser: x\n"],
  ["an alias", "name: *other\ndescription: Use it: now\n"],
])("what cannot be told is not mended: %s", (_, yaml) => {
  expect(readDocument(yaml, "yaml", known)).toMatchObject({
    repaired: false,
    problems: [{ code: "yaml-invalid", severity: "error" }],
  })
})

test.each([
  [
    "a line of dashes in a text",
    "---\nname: a\ndescription: Use it.\n---\nuser: hi\ntools: Read\n---\n\nWork.\n",
    ["tools"],
  ],
  [
    "two blocks of front matter",
    "---\nname: a\n---\n\n---\ndisallowedTools: Bash\n---\nWork.\n",
    ["disallowedTools"],
  ],
  ["a rule below the instructions", "---\nname: a\n---\nWork.\n\n---\n\ntools: Read\n", []],
  ["front matter that is shown", "---\nname: a\n---\nWrite:\n\n```\n---\ntools: Read\n---\n```\n", []],
  ["no line that would end it", "---\nname: a\n---\ntools: Read\n", []],
])("keys that a line of dashes cuts off are told where they narrow the agent: %s", (_, text, lost) => {
  const { problems, locate } = readDocument(text, "markdown", new Set([...known, "disallowedTools"]))
  expect(
    problems.map(({ code, severity, at }) => {
      const span = locate(at)!
      return [code, severity, text.slice(span.start, span.end)]
    }),
  ).toEqual(lost.map((key) => ["key-restricting", "error", key]))
})

test("without known keys nothing is mended", () => {
  expect(readDocument("description: Use it: now\n", "yaml", new Set())).toMatchObject({
    repaired: false,
    problems: [{ code: "yaml-invalid" }],
  })
})

test("text does not swallow a key that would narrow the agent", () => {
  const yaml = "description: Use this: always\nand then some\nallowed-tools: Read\n"
  const edits = repairYaml(yaml, new Set(["description"]))!
  expect(readYaml(applyEdits(yaml, edits))).toEqual({
    type: "value",
    value: { description: "Use this: always\nand then some", "allowed-tools": "Read" },
  })
})

test("three hundred thousand lines of text are mended", () => {
  expect(repairYaml(`description: "a" b\n${"x\n".repeat(300_000)}`, new Set(["description"]))).toHaveLength(1)
})

describe("generated files", () => {
  const word = fc.constantFrom("user", "assistant", "Context", "Daisy", "Example", "q", "système", "Step-1")
  const phrase = fc.constantFrom(
    "Run it",
    '"Please do: this"',
    'it\'s "fine"',
    "a # b",
    "C:\\temp\\new",
    "- not a list",
    "[x] {y}",
    "日本 😀",
    "*bold*",
    "100%",
    "key:value",
  )
  const line = fc.oneof(
    fc.tuple(word, phrase).map(([said, text]) => `${said}: ${text}`),
    phrase,
    fc.constantFrom(
      "",
      "<example>",
      "</example>",
      "# Heading\n\nBelow it",
      "#12 is one",
      "- item: x",
      "  indented: x",
      "...and so on",
    ),
  )
  /** A text whose last line is text, and whose first line has a colon that plain YAML text may not have. */
  const description = fc
    .tuple(phrase, fc.array(line, { maxLength: 8 }), phrase)
    .map(([first, lines, last]) => [`When: ${first}`, ...lines, `${last}.`].join("\n"))
  const others = fc.constantFrom<readonly [string, unknown]>(
    ["name: a", { name: "a" }],
    ["tools: Read, Grep", { tools: "Read, Grep" }],
    ["tools:\n  - Read\n  # why\n  - Grep", { tools: ["Read", "Grep"] }],
    ["# model: opus\nmodel: 'x: y'", { model: "x: y" }],
    ["color: red # of course", { color: "red" }],
  )
  const file = fc
    .tuple(
      description,
      fc.uniqueArray(others, { selector: ([text]) => text.split(":")[0], maxLength: 4 }),
      fc.nat(),
      fc.constantFrom("", "# end\n", "\n# tools: Bash\n"),
      fc.constantFrom("\n", "\r\n"),
    )
    .map(([text, rest, at, end, newline]) => {
      const before = at % (rest.length + 1)
      const entries: readonly (readonly [string, unknown])[] = [
        ...rest.slice(0, before),
        [`description: ${text}`, { description: text }],
        ...rest.slice(before),
      ]
      return {
        yaml: `${entries.map(([written]) => written).join("\n")}\n${end}`.replaceAll("\n", newline),
        values: Object.assign({}, ...entries.map(([, value]) => value)) as { description: string },
      }
    })

  test("each says what its author wrote, before it is mended and after", () => {
    fc.assert(
      fc.property(file, ({ yaml, values }) => {
        const { values: read } = mended(yaml)
        // Indented lines lose their common indentation.
        expect({ ...read, description: plain(String(read?.description)) }).toEqual({
          ...values,
          description: plain(values.description),
        })
      }),
      { numRuns: rounds(500) },
    )
  })

  const plain = (text: string) => text.replaceAll(/^[ \t]+/gm, "")

  test("any lines at all: what is mended reads the same for every strict reader", () => {
    const piece = fc.oneof(
      line,
      fc.constantFrom(
        "description: Use it",
        "tools: Read",
        "tools:Read",
        "name: 'a",
        "emoji: x",
        "|",
        "description: |",
        "description: >-",
        "\ttab: x",
        "description:",
        "? x",
        "---",
        "&a",
        "tools: *",
        "limits: 1",
      ),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 10 }), (lines) => {
        mended(`${lines.join("\n")}\n`)
      }),
      { numRuns: rounds(500) },
    )
  })
})
