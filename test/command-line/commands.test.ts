import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { formats } from "../../src/definitions/formats/index.ts"
import { dispatched } from "../dispatch-kit.ts"
import { naming } from "../naming.ts"

let base: string
beforeEach(() => {
  base = mkdtempSync(path.join(os.tmpdir(), "cadre-commands-"))
  mkdirSync(path.join(base, ".git"))
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

function put(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(base, file)), { recursive: true })
  writeFileSync(path.join(base, file), text)
}

const cadre = (...words: readonly string[]) =>
  dispatched(words, { directory: base, environment: { HOME: path.join(base, "home") } })

const json = async (...words: readonly string[]) => JSON.parse((await cadre(...words, "--json")).stdout)

/** What ships has tests of its own. */
const hideBuiltIn = () => put("home/.config/cadre/config.yaml", "hide_built_in_agents: '*'\n")

const good =
  "---\nname: good\ndescription: Does good work.\nmodel: sonnet\ntools: Read, Grep\n---\n\nDo {{task}} well.\n"
const colon = "---\nname: colon\ndescription: Use it when: always\ntools: Read\n---\n\nWork.\n"
const narrow = "---\nname: narrow\ndescription: Narrow.\nallowed_tools: Read\n---\n\nWork.\n"

describe("list", () => {
  test("shows every definition with scope, format, file, model, tools and state", async () => {
    put(".claude/agents/good.md", good)
    put("home/.claude/agents/good.md", good)
    put(".claude/agents/narrow.md", narrow)
    hideBuiltIn()
    expect(await json("list")).toEqual({
      agents: [
        {
          name: "good",
          description: "Does good work.",
          format: "claude",
          scope: "project",
          file: ".claude/agents/good.md",
          model: "sonnet",
          tools: ["Read", "Grep"],
          state: "active",
          trust: "untrusted",
        },
        {
          name: "good",
          description: "Does good work.",
          format: "claude",
          scope: "user",
          file: "home/.claude/agents/good.md",
          model: "sonnet",
          tools: ["Read", "Grep"],
          state: "shadowed",
          shadowedBy: ".claude/agents/good.md",
        },
        {
          name: "narrow",
          description: "Narrow.",
          format: "claude",
          scope: "project",
          file: ".claude/agents/narrow.md",
          model: null,
          tools: null,
          state: "broken",
          trust: "untrusted",
        },
      ],
      diagnostics: [
        expect.objectContaining({
          code: "name-shadowed",
          severity: "info",
          file: "home/.claude/agents/good.md",
        }),
        {
          code: "key-restricting",
          severity: "error",
          message: expect.stringMatching(/^`allowed_tools` is not a key of Claude Code files/),
          file: ".claude/agents/narrow.md",
          range: { start: { line: 4, column: 1 }, end: { line: 4, column: 14 } },
          fix: {
            title: "Rename it to `tools`",
            edits: [
              { range: { start: { line: 4, column: 1 }, end: { line: 4, column: 14 } }, text: "tools" },
            ],
          },
        },
      ],
    })
    expect((await cadre("list")).code).toBe(0)
    expect((await cadre("list", "--names")).stdout).toBe("good\n")
  })

  test("shows labels and colours", async () => {
    const agent = (name: string, more: string) =>
      put(`.cadre/agents/${name}.md`, `---\nname: ${name}\ndescription: d\n${more}---\n\nWork.\n`)
    agent("a", "label: Team lead\ncolor: purple\n")
    agent("b", "color: green\n")
    agent("c", 'label: "\\e[2J"\n')
    hideBuiltIn()
    const { agents } = (await json("list")) as { agents: { name: string; label?: string; color?: string }[] }
    expect(agents.map(({ name, label, color }) => ({ name, label, color }))).toEqual([
      { name: "a", label: "Team lead", color: "purple" },
      { name: "b", label: undefined, color: "green" },
      { name: "c", label: "\u001b[2J", color: undefined },
    ])
    const names = (text: string) =>
      text
        .split("\n")
        .slice(0, 4)
        .map((line) => line.split(" active")[0])
    const { stdout: plain } = await cadre("list")
    expect(names(plain)).toEqual([
      expect.stringMatching(/^NAME {11}STATE/),
      "a (Team lead) ",
      "b             ",
      "c (\\u{1b}[2J) ",
    ])
    const { stdout: coloured } = await dispatched(["list"], {
      directory: base,
      environment: { HOME: path.join(base, "home"), FORCE_COLOR: "1" },
    })
    expect(names(coloured).slice(1)).toEqual([
      "\u001b[35ma (Team lead)\u001b[0m ",
      "\u001b[32mb\u001b[0m             ",
      "c (\\u{1b}[2J) ",
    ])
  })

  test("says what to do where there is nothing", async () => {
    hideBuiltIn()
    expect(await cadre("list")).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^No agents found\. `cadre new NAME`/),
      stderr: "",
    })
  })

  test("122: a name or description cannot talk to the terminal", async () => {
    put(
      ".claude/agents/a.md",
      '---\nname: a\ndescription: "x\\e[31m"\nmodel: "\\e]0;owned\\a"\n---\n\nWork.\n',
    )
    expect((await cadre("list")).stdout).not.toContain("\u001b")
    expect((await cadre("show", "a")).stdout).not.toContain("\u001b")
    expect((await cadre("list", "--json")).stdout).not.toContain("\u001b")
  })
})

describe("check", () => {
  test("exits 0 without errors and 1 with one; strict counts warnings", async () => {
    put(".claude/agents/good.md", good)
    expect(await cadre("check")).toEqual({ code: 0, stdout: "No problems in 1 file.\n", stderr: "" })
    put(".claude/agents/colon.md", colon)
    expect((await cadre("check")).code).toBe(0)
    expect((await cadre("check", "--strict")).code).toBe(1)
    put(".claude/agents/narrow.md", narrow)
    expect((await cadre("check")).code).toBe(1)
  })

  test("prints every file that it looked at", async () => {
    put(".claude/agents/good.md", good)
    put(".claude/agents/colon.md", colon)
    put(".claude/agents/none.md", "no front matter")
    expect((await json("check")).files).toEqual([
      { file: ".claude/agents/colon.md", format: "claude", agent: "colon", repaired: true },
      { file: ".claude/agents/good.md", format: "claude", agent: "good", repaired: false },
      { file: ".claude/agents/none.md", format: "claude", agent: null, repaired: false },
    ])
  })

  test("puts the caret under the value", async () => {
    put("agents/a.md", "---\nname: a\ndescription: A.\nmaxTurns: none\n---\n\nWork.\n")
    expect((await cadre("check", "agents", "--as", "claude")).stdout).toBe(
      [
        "agents/a.md:4:11 error field-type",
        '  `maxTurns` must be a whole number, 1 or more, but it is "none".',
        "",
        "  3 │ description: A.",
        "  4 │ maxTurns: none",
        "    │           ^^^^",
        "  5 │ ---",
        "",
        "1 error in 1 file",
        "",
      ].join("\n"),
    )
  })

  test("tells of an executor that no configuration has, and says where to put it", async () => {
    put(
      ".cadre/agents/a.md",
      "---\nname: a\ndescription: A.\nlimits: { timeout: 60000 }\nexecutor: claud\n---\n\nWork.\n",
    )
    const found = async () => {
      const { code, stdout } = await cadre("check", ".cadre/agents", "--json")
      return {
        code,
        messages: JSON.parse(stdout).diagnostics.map(({ message }: { message: string }) => message),
      }
    }
    const told = (known: string) => naming('"a"', '"claud"', `${known}`, "executors:")
    expect(await found()).toEqual({ code: 1, messages: [told("None are known.")] })
    put("home/.config/cadre/config.yaml", "executors: { claude: { command: claude -p } }\n")
    expect(await found()).toEqual({ code: 1, messages: [told('Did you mean "claude"? Known: claude.')] })
    put("home/.config/cadre/config.yaml", "executors: { claud: { command: claude -p } }\n")
    expect(await found()).toEqual({ code: 0, messages: [] })
  })

  test("--fix writes what can be mended, keeps the mode, and what it wrote reads strictly", async () => {
    put(".claude/agents/colon.md", colon)
    put(".claude/agents/narrow.md", narrow)
    expect(await cadre("check", "--fix")).toEqual({
      code: 0,
      stdout: "No problems in 2 files.\nFixed .claude/agents/colon.md, .claude/agents/narrow.md.\n",
      stderr: "",
    })
    expect(readFileSync(path.join(base, ".claude/agents/colon.md"), "utf8")).toBe(
      colon.replace("Use it when: always", "'Use it when: always'"),
    )
    expect(statSync(path.join(base, ".claude/agents/colon.md")).mode & 0o777).toBe(0o644)
  })

  test.each([
    [".claude", ".claude/agents/narrow.md"],
    ["plug", "plug/agents/narrow.md"],
    ["coll", "coll/agents/narrow.md"],
    ["coll", "coll/deep/er/narrow.md"],
    [".", ".codex/agents/narrow.md"],
  ])("a folder %s is looked into for what lies at %s", async (folder, file) => {
    put("plug/.claude-plugin/plugin.json", '{"name": "plug"}')
    put(file, narrow)
    expect((await json("check", folder)).files.map(({ file }: { file: string }) => file)).toEqual([file])
  })

  test("a folder without a single agent file is wrong usage, not a success", async () => {
    put("empty/notes.txt", "x")
    expect(await cadre("check", "empty")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/Nothing was checked/),
    })
  })

  test("an agent that names another is not wrong because only one of them is checked", async () => {
    put(".claude/agents/lead.md", "---\nname: lead\ndescription: Leads.\ntools: Agent(good)\n---\n\nLead.\n")
    put(".claude/agents/good.md", good)
    expect(await json("check", ".claude/agents/lead.md")).toMatchObject({
      files: [{ file: ".claude/agents/lead.md" }],
      diagnostics: [],
    })
  })

  test("--fix without a path leaves the user's files and packages alone", async () => {
    put("package.json", JSON.stringify({ dependencies: { kit: "1" } }))
    put("node_modules/kit/package.json", JSON.stringify({ name: "kit", cadre: { agents: "agents" } }))
    put("node_modules/kit/agents/colon.md", colon)
    put("home/.claude/agents/colon.md", colon)
    await cadre("check", "--fix")
    expect(readFileSync(path.join(base, "node_modules/kit/agents/colon.md"), "utf8")).toBe(colon)
    expect(readFileSync(path.join(base, "home/.claude/agents/colon.md"), "utf8")).toBe(colon)
  })

  test("annotations and SARIF carry the same findings", async () => {
    put(".claude/agents/narrow.md", narrow)
    expect((await cadre("check", "--format", "github")).stdout).toMatch(
      /^::error file=\.claude\/agents\/narrow\.md,line=4,col=1,endLine=4,endColumn=\d+,title=key-restricting::/,
    )
    const sarif = JSON.parse((await cadre("check", "--format", "sarif")).stdout)
    expect(sarif.runs[0].results.map(({ ruleId }: { ruleId: string }) => ruleId)).toEqual(["key-restricting"])
  })

  test.each([
    [["check", "nowhere.md"], /not found: "nowhere.md"/],
    [["check", ".", "--as", "cluade"], /format "cluade"/],
    [["check", "--as", "claude"], /--as needs a path/],
    [["check", "--format", "xml"], /xml/],
    [["show", "godo"], /There is no agent named "godo"\. Did you mean "good"\?/],
    [["rules", "tools-nine"], /rule "tools-nine"/],
    [["schema", "claud"], /format "claud"\. Did you mean "claude"\?/],
    [["new", "../evil"], /invalid agent name/],
    [["new", "x", "--format", "nothing"], /format "nothing"/],
  ])("%j is wrong usage, with what to do", async (words, message) => {
    put(".claude/agents/good.md", good)
    const { code, stdout, stderr } = await cadre(...words)
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
    expect(stderr).toMatch(message)
  })
})

test("show tells which line says each part, and what would be sent", async () => {
  put(".claude/agents/good.md", good)
  const shown = await json("show", "good", "--task", "it")
  const { system, messages, tools } = shown.request
  expect({ lines: shown.lines, system, messages, state: shown.state }).toEqual({
    lines: { name: 2, description: 3, model: 4, "tools.allow": 5 },
    system: "Do it well.",
    messages: [{ role: "user", text: expect.stringMatching(/Begin.*instructions/) }],
    state: "active",
  })
  expect(tools.map(({ name }: { name: string }) => name)).toEqual(["Read", "Grep"])
})

test.each([
  [
    ".cadre/agents/aide.md",
    "---\nname: aide\ndescription: d\nlimits:\n  maxTurns: 3\n  timeout: 5m\n---\n\nHelp.\n",
    { name: 2, description: 3, model: null, "tools.allow": null, "limits.maxTurns": 5, "limits.timeout": 6 },
  ],
  [
    ".claude/agents/aide.md",
    "---\nname: aide\ndescription: d\ninitialPrompt: Begin.\nteam: red\n---\n\nHelp.\n",
    { name: 2, description: 3, context: 4, extensions: 5, model: null, "tools.allow": null },
  ],
  [
    ".codex/agents/aide.md",
    "---\nname: aide\nmodel_config:\n  provider: p\n  model: m\n---\n\nHelp.\n",
    { name: 2, description: null, model: 4, "tools.allow": null },
  ],
  [
    ".gobby/agents/aide.yaml",
    "name: aide\nrole: r\nenabled: false\ndefault_variables:\n  a: 1\nlifecycle_workflow: w\ntimeout: 5\n",
    {
      name: 1,
      description: null,
      lifecycle: 6,
      hidden: 3,
      extensions: 2,
      model: null,
      "tools.allow": null,
      "limits.timeout": 7,
      "limits.maxTurns": null,
      variables: 5,
    },
  ],
  [
    "agents/aide_subagent.yaml",
    "name: aide\nmodel_id: m\ninitial_context:\n  system_prompt: Help.\n  node_context: x\ntools:\n  - name: submit_result\n    pym: s.pym\n    description: d\n    parameters: {type: object, additionalProperties: false}\n",
    {
      name: 1,
      description: null,
      model: 2,
      template: 5,
      toolDefinitions: 7,
      result: 7,
      "tools.allow": 7,
      "limits.maxTurns": null,
      "limits.toolTimeout": null,
    },
  ],
])("show finds what %s says wherever it says it", async (file, text, lines) => {
  put(file, text)
  expect((await json("show", "aide")).lines).toEqual(lines)
})

test.each(formats.map(({ id }) => id).filter((id) => id !== "remora"))(
  "new writes a %s file that checks without a problem, and never writes over one",
  async (id) => {
    const { file } = await json("new", "my-agent", "--format", id)
    const { files, diagnostics } = await json("check", file)
    expect(files).toEqual([{ file, format: id, agent: "my-agent", repaired: false }])
    expect(diagnostics.filter(({ severity }: { severity: string }) => severity !== "info")).toEqual([])
    const before = readFileSync(path.join(base, file), "utf8")
    expect((await cadre("new", "my-agent", "--format", id)).code).toBe(1)
    expect(readFileSync(path.join(base, file), "utf8")).toBe(before)
  },
)

test("route says who and why, with the scores, and is off by default", async () => {
  put(".codex/agents/lint.md", "---\nname: linter\nkeywords: [lint]\n---\n\nLint.\n")
  expect(await json("route", "please lint it")).toEqual({
    type: "nobody",
    reason: "Auto-routing disabled.",
    scores: [],
  })
  expect(await json("route", "--auto", "please lint it")).toMatchObject({
    type: "agent",
    agent: "linter",
    reason: "matched keyword 'lint'",
  })
  put(".cadre/config.yaml", "subagents:\n  auto_route: true\n")
  expect(await json("route", "please lint it")).toMatchObject({ agent: "linter" })
})

test("a mistake in the configuration is part of what check finds", async () => {
  put(".cadre/config.yaml", "subagents:\n  enable: true\n")
  const { code, stdout } = await cadre("check")
  expect({ code, stdout }).toEqual({
    code: 1,
    stdout: expect.stringMatching(/config\.yaml:2:3 error configuration-key/),
  })
})

describe("check of files that other tools have", () => {
  const toml = 'name = "x"\ndeveloper_instructions = "y"\n'

  test("says whose each is, and that nothing was checked, which is no success", async () => {
    put("roles/a.toml", toml)
    put("roles/b.toml", toml)
    const { code, stdout, stderr } = await cadre("check", "roles")
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" })
    expect(stdout).toMatch(/agent.*file.*Codex TOML/)
    expect(stdout).toMatch(/\n2 info in 2 files\nNothing.*checked.*format.*any of the 2 files\.\n.?$/)
    expect((await cadre("check", "roles/a.toml")).stdout).toMatch(
      /\nNothing.*checked.*format.*the file\.\n.?$/,
    )
    expect((await json("check", "roles")).files).toEqual([
      { file: "roles/a.toml", format: null, agent: null, repaired: false },
      { file: "roles/b.toml", format: null, agent: null, repaired: false },
    ])
    expect((await cadre("check", "roles", "--json")).code).toBe(1)
  })

  test("beside agents that are checked they are no failure, nor where nothing was asked for", async () => {
    put("roles/a.toml", toml)
    put("roles/good.md", good)
    expect(await cadre("check", "roles")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/\n1 info in 1 of 2 files\n$/),
    })
    put(".codex/agents/a.toml", toml)
    expect(await cadre("check")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\.codex\/agents\/a\.toml:1:1 info format-later\n/),
    })
  })
})
