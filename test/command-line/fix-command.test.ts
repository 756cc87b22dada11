import { chmodSync, existsSync, linkSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs"
import path from "node:path"
import { CORE_SCHEMA, load } from "js-yaml"
import { describe, expect, test } from "vitest"
import { parse } from "yaml"
import { splitFrontmatter } from "../../src/definitions/formats/document/frontmatter.ts"
import { formats } from "../../src/definitions/formats/index.ts"
import { readDefinitionText } from "../../src/definitions/registry/file.ts"
import { dispatched } from "../dispatch-kit.ts"
import { contents, put, temporaryFolder } from "../file-kit.ts"
import { material } from "../material.ts"

const agent = (name: string, lines = "") =>
  `---\nname: ${name}\ndescription: Does what ${name} does.\n${lines}---\n\nWork.\n`
const broken = agent("broken").replace("Does", "Use when: Does")

/** A project with these files, its home inside of it, and commands that run there. */
function project(files: Readonly<Record<string, string>>) {
  const folder = temporaryFolder({ ".git/HEAD": "", ...files })
  const cadre = (...words: readonly string[]) =>
    dispatched(words, { directory: folder, environment: { HOME: path.join(folder, "home") } })
  return { folder, cadre, read: (file: string) => readFileSync(path.join(folder, file), "utf8") }
}

describe("--fix writes everything that is said to be fixable", () => {
  test.each<[string, string, string, string]>([
    [
      "a denial in other letters",
      ".claude/agents/a.md",
      agent("a", "disallowedTools: BASH\n"),
      agent("a", "disallowedTools: Bash\n"),
    ],
    [
      "a file whose name is missing",
      ".claude/agents/a.md",
      broken.replace("name: broken\n", ""),
      broken.replace("name: broken\n", "").replace(/Use when: .*/, "'$&'"),
    ],
    [
      "a setting",
      ".cadre/config.yaml",
      "hide_built_in_agents: '*'\nsubagents: { enabled: 'yes' }\n",
      "hide_built_in_agents: '*'\nsubagents: { enabled: true }\n",
    ],
    [
      "several of one file",
      ".claude/agents/a.md",
      agent("a", "allowed_tools: READ\nmodel: SONNET\n").replace("Does", "Use when: Does"),
      agent("a", "tools: Read\nmodel: sonnet\n").replace(/Does.*/, "'Use when: $&'"),
    ],
  ])("%s", async (_, file, before, after) => {
    const { cadre, read } = project({ [file]: before, "home/.config/cadre/x": "" })
    expect((await cadre("check")).stdout).toMatch(/ fixable with --fix\)/)
    const { stdout } = await cadre("check", "--fix")
    expect({ text: read(file), stdout }).toEqual({
      text: after,
      stdout: expect.stringMatching(/(?:^|\n)Fixed .*\.\n$/),
    })
    expect(stdout).not.toContain("fixable")
    expect((await cadre("check", "--fix")).stdout).toMatch(/(?:^|\n)Nothing to fix\.\n$/)
    expect(read(file)).toBe(after)
  })
})

test("with nothing to fix it says so, in every way to print", async () => {
  const { cadre } = project({ ".claude/agents/good.md": agent("good") })
  expect(await cadre("check", "--fix")).toEqual({
    code: 0,
    stdout: "No problems in 1 file.\nNothing to fix.\n",
    stderr: "",
  })
  expect(JSON.parse((await cadre("check", "--fix", "--json")).stdout)).toMatchObject({ fixed: [] })
  expect(await cadre("check", "--fix", "--format", "github")).toEqual({
    code: 0,
    stdout: "",
    stderr: "Nothing to fix.\n",
  })
})

test("the fixed files are named in JSON", async () => {
  const { cadre } = project({ ".claude/agents/broken.md": broken })
  expect(JSON.parse((await cadre("check", "--fix", "--json")).stdout)).toEqual({
    files: [{ file: ".claude/agents/broken.md", format: "claude", agent: "broken", repaired: false }],
    diagnostics: [],
    fixed: [".claude/agents/broken.md"],
  })
})

describe("a fix that is not written says why, with --fix and without", () => {
  const places: readonly [string, string, (folder: string) => void, RegExp][] = [
    [
      "a file of the user",
      "home/.claude/agents/broken.md",
      () => {},
      /outside this project; `cadre check .*broken\.md --fix`/,
    ],
    [
      "a file of a package",
      "node_modules/kit/agents/broken.md",
      (folder) =>
        put(folder, {
          "package.json": JSON.stringify({ dependencies: { kit: "1" } }),
          "node_modules/kit/package.json": JSON.stringify({ name: "kit", cadre: { agents: "agents" } }),
        }),
      /^it belongs to a package$/,
    ],
    [
      "a read-only file",
      ".claude/agents/broken.md",
      (folder) => chmodSync(path.join(folder, ".claude/agents/broken.md"), 0o444),
      /^the file is read-only$/,
    ],
    [
      "a file with two names",
      ".claude/agents/broken.md",
      (folder) => linkSync(path.join(folder, ".claude/agents/broken.md"), path.join(folder, "other")),
      /^the file has 2 names \(hard links\)/,
    ],
  ]
  test.each(places)("%s", async (_, file, prepare, reason) => {
    const { folder, cadre, read } = project({ [file]: broken })
    prepare(folder)
    const before = statSync(path.join(folder, file))
    for (const words of [["check"], ["check", "--fix"], ["check", "--fix"]]) {
      const { stdout } = await cadre(...words)
      expect(stdout).toMatch(/\n {2}not written by --fix: /)
      expect(stdout).not.toMatch(/fixable/)
      expect(JSON.parse((await cadre(...words, "--json")).stdout).diagnostics).toMatchObject([
        { code: "yaml-repaired", notFixed: expect.stringMatching(reason) },
      ])
    }
    expect((await cadre("check", "--fix")).stdout).toMatch(
      /\nNothing was fixed\. 1 fix was not written; the finding says why\.\n$/,
    )
    expect(read(file)).toBe(broken)
    const { mode, ino } = statSync(path.join(folder, file))
    expect({ mode, ino }).toEqual({ mode: before.mode, ino: before.ino })
  })

  test("a link that leads to a file that was not named", async () => {
    const { folder, cadre, read } = project({ "real/broken.md": broken, "some/x.md": agent("x") })
    symlinkSync(path.join(folder, "real/broken.md"), path.join(folder, "some/broken.md"))
    const { stdout } = await cadre("check", path.join("some", "broken.md"), "--fix")
    expect(stdout).toMatch(/not written by --fix: it is a link to .*real\/broken\.md; fix that file\n/)
    expect(read("real/broken.md")).toBe(broken)
  })
})

test("show names the command that writes fixes", async () => {
  const { cadre } = project({ ".claude/agents/broken.md": broken })
  expect((await cadre("show", "broken")).stdout).toMatch(/\(1 fixable with `cadre check --fix`\)\n$/)
})

/** Real definition files from public repositories, beside the checkout; they are not part of the project. */
const corpus = material("corpus")
/** Fixes are of one file alone, so that there need not be many of them together: agents of one project all know each other. */
const atOnce = 100

const groups = (existsSync(corpus) ? ["claude", "codex-md", "acai"] : []).flatMap((id) => {
  const all = readdirSync(path.join(corpus, id), { recursive: true, encoding: "utf8" })
  const files = all.filter((file) => file.endsWith(".md")).sort()
  return Array.from({ length: Math.ceil(files.length / atOnce) }, (_, group) => {
    const some = files.slice(group * atOnce, (group + 1) * atOnce)
    return [id, group * atOnce + 1, group * atOnce + some.length, some] as const
  })
})

describe.skipIf(!existsSync(corpus))("copies of real files", () => {
  test.each(groups)(
    "of %s, from %i to %i: after --fix nothing is offered, nothing changes any more, and strict readers read what was read",
    async (id, _, __, some) => {
      const files = Object.fromEntries(
        some.map((file) => [
          `copy/${file.replaceAll(/(^|\/)\./g, "$1")}`,
          readFileSync(path.join(corpus, id, file), "utf8"),
        ]),
      )
      const { folder, cadre } = project(files)
      const first = JSON.parse((await cadre("check", "copy", "--as", id, "--fix", "--json")).stdout)
      expect(offered(first)).toEqual([])
      const after = contents(path.join(folder, "copy"))
      const again = JSON.parse((await cadre("check", "copy", "--as", id, "--fix", "--json")).stdout)
      expect({ fixed: again.fixed, offered: offered(again) }).toEqual({ fixed: [], offered: [] })
      expect(contents(path.join(folder, "copy"))).toEqual(after)
      for (const [file, text] of Object.entries(files)) {
        const now = after[path.relative("copy", file)]!
        const [before, read] = [text, now].map((given) => readAs(id, file, given))
        expect({ file, repaired: read!.repaired, ...mainParts(read!) }).toEqual({
          file,
          repaired: false,
          ...mainParts(before!),
        })
        const split = splitFrontmatter(now)
        if (split.type !== "split") continue
        const values = parse(split.yaml, { strict: true, uniqueKeys: true, schema: "core" })
        expect({ file, values: load(split.yaml, { schema: CORE_SCHEMA }) }).toEqual({ file, values })
        expect(String(values.description ?? "").trim()).toBe(String(before!.agent?.description ?? "").trim())
      }
    },
  )
})

const offered = ({ diagnostics }: { diagnostics: readonly { fix?: unknown; notFixed?: string }[] }) =>
  diagnostics.filter(({ fix, notFixed }) => fix !== undefined && notFixed === undefined)

const readAs = (id: string, file: string, text: string) =>
  readDefinitionText(
    { path: file, text },
    formats.find((format) => format.id === id),
    {},
  )

/** What no fix changes. Names of tools and models are written as they are called. */
const mainParts = ({ agent }: ReturnType<typeof readAs>) => ({
  name: agent?.name,
  description: agent?.description,
  instructions: agent?.instructions,
  mode: agent?.tools.mode,
})
