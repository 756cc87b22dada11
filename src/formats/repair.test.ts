import { describe, expect, test } from "vitest"
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
  ["nor what follows a star", "tools: *\n# , Bash"],
  ["a list of denials is not made into text", "toolsDeny:\n  - Bash\n  - Write: x: y"],
])("%s", (_, yaml) => {
  expect(repairYaml(`name: a\n${yaml}\n`, new Set(["name", "tools", "toolsDeny"]))).toBeUndefined()
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
