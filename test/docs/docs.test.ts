import fs from "node:fs"
import path from "node:path"
import ts from "typescript"
import { describe, expect, test } from "vitest"
import { createPages } from "../../scripts/docs.ts"
import { scenarios } from "../../scripts/transcripts/scenarios.ts"
import { commands } from "../../src/faces/cli/commands.ts"

const root = path.resolve(import.meta.dirname, "../..")
const pages = [...fs.readdirSync(root).filter((file) => file.endsWith(".md")), ...filesIn("docs", ".md")]
const guides = filesIn("docs/guides", ".md")
const sources = filesIn("src", ".ts")
const quotable = [...filesIn("examples", ".ts"), ...sources].map((file) => unindented(read(file)))

const generated = await createPages()

describe("generated pages", () => {
  test.each(generated.map(({ file, text }) => [file, text] as const))("%s is fresh", (file, text) => {
    expect(
      fs.existsSync(path.join(root, file)) && read(file) === text,
      `${file} is stale. Run: npm run docs`,
    ).toBe(true)
  })
})

describe("code in the docs", () => {
  test("README's first use is examples/01-minimal.ts, byte for byte", () => {
    const [first] = blocksOf("README.md", "ts")
    expect(first, "README needs a ts block.").toBeDefined()
    expect(read("examples/01-minimal.ts"), "Change both, or neither.").toContain(`${first}\n`)
  })

  test("README begins with two sh blocks: the demo and the tests", () => {
    const commands = blocksOf("README.md", "sh")
    expect(commands.slice(0, 2)).toEqual(["npm install && npm run demo", "npm install && npm test"])
    expect(read("README.md").split("```")[1], "No other block comes before them.").toMatch(/^sh\n/)
  })

  test.each(pages)("every ts block in %s stands in an example or a source, line by line", (page) => {
    const invented = blocksOf(page, "ts").filter(
      (block) => !quotable.some((text) => text.includes(unindented(block))),
    )
    expect(invented, "Take it from an example, which is run and type-checked; or write it as text.").toEqual(
      [],
    )
  })
})

describe("transcripts", () => {
  test("each has a scenario and a text that `npm run docs` wrote, and each scenario is shown", () => {
    const shown = pages.flatMap((page) => [
      ...read(page).matchAll(/<!-- transcript: ([\w-]+) -->\n```text\n(.*)/g),
    ])
    expect([...new Set(shown.map(([, name]) => name!))].sort()).toEqual(Object.keys(scenarios).sort())
    expect(shown.filter(([, , first]) => !first!.startsWith("$ ")).map(([, name]) => name)).toEqual([])
  })
})

describe("pages", () => {
  test("the index leads to each of them", () => {
    const index = read("docs/README.md")
    const unlisted = filesIn("docs", ".md")
      .map((page) => page.slice("docs/".length))
      .filter((page) => page !== "README.md" && !index.includes(`](${page})`))
    expect(unlisted, "Add it to docs/README.md.").toEqual([])
  })

  test.each(guides)("%s has at most 900 words", (page) => {
    expect(read(page).split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(900)
  })

  test.each(guides)("%s begins with a block to type or write", (page) => {
    expect(read(page).split("```")[1], "A guide starts with a command, or with what to write.").toMatch(
      /^(?:sh|yaml)\n/,
    )
  })

  const commandLines = pages.flatMap((page) => blocksOf(page, "sh").flatMap(cadreCommandsIn))
  test.each([...new Set(commandLines)])("%s is a command with these options", async (line) => {
    expect(await strangeIn(line)).toEqual([])
  })

  test("a command or an option that does not exist would be noticed", async () => {
    const lines = cadreCommandsIn("git diff | cadre run a - --modle x && cadre rnu b  # cadre list\n")
    expect(await Promise.all(lines.map(strangeIn))).toEqual([["--modle"], ["rnu"]])
    expect(commandLines.length).toBeGreaterThan(50)
  })

  test.each(pages)("%s is text to every viewer", (page) => {
    expect(read(page)).not.toMatch(/(?![\n\t])\p{Cc}/u)
  })
})

describe("links", () => {
  test.each(pages)("every relative link in %s leads somewhere", (page) => {
    const broken = [...withoutBlocks(read(page)).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target]) => target!)
      .filter((target) => !/^[a-z]+:/.test(target))
      .filter((target) => !resolves(page, target))
    expect(broken, "The file or the heading does not exist.").toEqual([])
  })
})

describe("words", () => {
  const avoided = [...read("GLOSSARY.md").matchAll(/^- `(\w+)`:/gm)].map(([, word]) => word!)
  /** Names that other packages gave. */
  const foreign = new Set([
    // Gobby's own words, in files that read them.
    "session_variables",
    // Node's.
    "isMainThread",
    "on_session_start",
    "on_session_end",
    "validate_session_task_scope",
    "session",
    "session_had_task",
    "DispatchHandler",
    "budget_tokens",
    "thinkingBudget",
    "budgetTokens",
    "service_tier",
    "session_id",
    "SessionStart",
    "SessionEnd",
    "setInterruptHandler",
    // Of the MCP package.
    "setRequestHandler",
    "executePendingJobs",
  ])

  test("the glossary names the words that are not used", () => {
    expect(avoided).toEqual([
      "budget",
      "manager",
      "service",
      "handler",
      "helper",
      "util",
      "session",
      "thread",
      "job",
    ])
  })

  test("none of them is in an identifier or a file name of src", () => {
    const used = sources.flatMap((file) =>
      [...identifiersIn(file), path.basename(file, ".ts")]
        .filter((name) => !foreign.has(name) && wordsOf(name).some((word) => isAvoided(word)))
        .map((name) => `${file}: ${name}`),
    )
    expect([...new Set(used)], "GLOSSARY.md says what to call it instead.").toEqual([])
  })

  const isAvoided = (word: string) => avoided.includes(word) || avoided.includes(word.replace(/s$/, ""))
})

function filesIn(folder: string, extension: string): readonly string[] {
  return fs
    .readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(extension))
    .map((file) => `${folder}/${file.replaceAll(path.sep, "/")}`)
}

function blocksOf(page: string, language: string): readonly string[] {
  return [...read(page).matchAll(/^```(\w*)\n([\s\S]*?)\n```$/gm)]
    .filter(([, marked]) => marked === language)
    .map(([, , text]) => text!)
}

const withoutBlocks = (text: string): string => text.replaceAll(/^```[\s\S]*?^```$/gm, "")

function unindented(text: string): string {
  return text.replaceAll(/^[ \t]+/gm, "")
}

function resolves(page: string, target: string): boolean {
  const [file, heading] = target.split("#")
  const resolved = file === "" ? page : path.posix.join(path.posix.dirname(page), file!)
  if (!fs.existsSync(path.join(root, resolved))) return false
  return heading === undefined || headingsOf(resolved).includes(heading)
}

/** As GitHub names them. */
const headingsOf = (page: string): readonly string[] =>
  [...withoutBlocks(read(page)).matchAll(/^#+ (.+)$/gm)].map(([, text]) =>
    text!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  )

function identifiersIn(file: string): readonly string[] {
  const names: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) names.push(node.text)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, read(file), ts.ScriptTarget.ES2023))
  return names
}

/** `someName`, `SOME_NAME` and `some-name` are "some" and "name". */
const wordsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)

function read(file: string): string {
  return fs.readFileSync(path.join(root, file), "utf8")
}

/** The commands of cadre in a block of shell, without comments. */
function cadreCommandsIn(block: string): readonly string[] {
  return block
    .replaceAll(/\s+#.*$/gm, "")
    .split(/\n|&&|\|\|?|;/)
    .map((line) => line.trim().replace(/^npx /, ""))
    .filter((line) => line.startsWith("cadre "))
}

/** The command and the options of a line that cadre does not have. */
async function strangeIn(line: string): Promise<readonly string[]> {
  const [, name = ""] = line.split(" ")
  if (name.startsWith("-") || name === "help") return []
  const command = await commands.find((listed) => listed.name === name)?.load()
  if (!command) return [name]
  return [...line.matchAll(/(?<=\s)--([a-z-]+)/g)]
    .map(([, option]) => option!)
    .filter((option) => !Object.hasOwn(command.options, option) && option !== "help")
    .map((option) => `--${option}`)
}
