import { mkdirSync, writeFileSync } from "node:fs"
import path from "node:path"
import { describe, expect, test } from "vitest"
import type { AgentInput } from "../../src/agent/agent.ts"
import type { Field } from "../../src/definitions/formats/fields/field.ts"
import { formats } from "../../src/definitions/formats/index.ts"
import { subagentSpec } from "../../src/definitions/formats/subagent-spec.ts"
import { dispatched } from "../dispatch-kit.ts"
import { temporaryFolder } from "../file-kit.ts"
import { world } from "../kit.ts"
import { naming } from "../naming.ts"
import { membersRead } from "./members-read.ts"

describe("no key is accepted that does nothing and is told by nobody", () => {
  /** These read, write or tell what a definition says; nothing happens because of it. */
  const tellers = [
    /^definitions\/(?:formats|rules)\//,
    /^agent\/(?:agent|agent-problems|without-effect)\.ts$/,
    /^definitions\/authority\/claims\.ts$/,
    /^world\/executors\/check\.ts$/,
    /^faces\/cli\/commands\/(?:show|eject)\.ts$/,
  ]
  /** Parts that are read of an agent under another type only: by the list for models, and by routing. */
  const elsewhere: Readonly<Record<string, string>> = {
    hidden: "CallableAgent.hidden",
    keywords: "RouteCandidate.keywords",
  }
  const read = membersRead(
    ["Agent", "CallableAgent", "RouteCandidate", "PromptContext"],
    (file) => !tellers.some((teller) => teller.test(file)),
  )
  const isRead = (part: string) => read.has(elsewhere[part] ?? `Agent.${part}`)

  test.each([...formats, subagentSpec])("$id", ({ fields }) => {
    const dead = (fields as readonly Field[]).filter(
      (field) => !isExplained(field) && !(field.into !== undefined && isRead(field.into.split(".")[0]!)),
    )
    expect(
      dead.map(({ key }) => key),
      "Nothing outside of the formats reads what these keys say: make it work, or say why not (`effect` of the field).",
    ).toEqual([])
  })

  test("the parts of an agent that nothing acts on are these", () => {
    const parts = (fields: readonly Field[]) => fields.flatMap(({ into }) => into?.split(".")[0] ?? [])
    const unread = [...formats, subagentSpec]
      .flatMap(({ fields }) => parts(fields as readonly Field[]))
      .filter((part) => !isRead(part))
    expect([...new Set(unread)].sort()).toEqual(["extensions", "memory", "metadata"])
    const ofContext = ["rules", "files", "environment", "fork", "initialPrompt"]
    expect(ofContext.filter((key) => !read.has(`PromptContext.${key}`))).toEqual(["initialPrompt"])
  })
})

/** It only informs, or the whole of it is told to have no effect, or the values of it that are kept are. */
const isExplained = ({ effect, into }: Field): boolean =>
  effect === "informs" ||
  (effect ?? []).some(({ inner, when }) => inner === undefined && (when === undefined || into === undefined))

test("`check` tells it once for all files of a folder, and a warning is an error where all are", async () => {
  const folder = temporaryFolder()
  for (const name of ["one", "two", "three"]) {
    const file = path.join(folder, `.claude/agents/${name}.md`)
    mkdirSync(path.dirname(file), { recursive: true })
    const keys = `name: ${name}\ndescription: Does ${name}.\ntools: Read\npermissionMode: dontAsk\nmemory: user`
    writeFileSync(file, `---\n${keys}\n---\n\nDo ${name}.\n`)
  }
  const check = (...words: readonly string[]) =>
    dispatched(["check", ".claude/agents", ...words], { directory: folder, environment: { HOME: folder } })
  const { code, stdout } = await check()
  expect({ code, lines: stdout.split("\n") }).toEqual({
    code: 0,
    lines: [
      ".claude/agents/one.md:5:1 warning key-without-effect",
      expect.stringMatching(/`permissionMode: dontAsk`.*chooses/),
      "  The same in 2 more files of .claude/agents: three.md, two.md.",
      "",
      ".claude/agents/one.md:6:1 info key-without-effect",
      expect.stringMatching(/`memory`.*keeps.*notes/),
      "  The same in 2 more files of .claude/agents: three.md, two.md.",
      "",
      "3 warnings, 3 info in 3 files",
      "",
    ],
  })
  expect((await check("--strict")).code).toBe(1)
})

test.each<[string, string, readonly string[]]>([
  ["headless", "limits: { maxTurns: 1 }\nmodel: sonnet", []],
  ["self", "tools: Read\nvariables: { a: 1 }", []],
  [
    "self",
    "limits: { maxTurns: 1 }\nmodel: sonnet\neffort: high",
    ["limits", "model: sonnet", "effort: high"],
  ],
  ["self", "cache: true\nfallback: other", ["cache", "fallback: other"]],
])("with `mode: %s`, of %j these have no effect: %j", async (mode, keys, idle) => {
  const folder = temporaryFolder()
  const file = path.join(folder, ".cadre/agents/one.md")
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, `---\nname: one\ndescription: Does one.\nmode: ${mode}\n${keys}\n---\n\nDo one.\n`)
  const { stdout } = await dispatched(["check", ".cadre/agents", "--json"], {
    directory: folder,
    environment: { HOME: folder },
  })
  const found: readonly { code: string; message: string }[] = JSON.parse(stdout).diagnostics
  expect(found.flatMap(({ code, message }) => (code === "key-without-effect" ? [message] : []))).toEqual(
    idle.map((key) => naming(`\`${key}\``, "activates")),
  )
})

test.each([
  ["own", [expect.stringMatching(/delegates.*the configuration.*delegation/)]],
  ["narrow", []],
])("under `delegation: %s`, of `delegates` this is told: %j", async (delegation, told) => {
  const folder = temporaryFolder()
  const put = (name: string, text: string) => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), text)
  }
  put("config/config.yaml", `delegation: ${delegation}\n`)
  put(
    "config/agents/one.md",
    "---\nname: one\ndescription: Does one.\ntools: Agent\ndelegates: Bash\n---\n\nDo one.\n",
  )
  const { stdout } = await dispatched(["check", "--json"], {
    directory: folder,
    environment: { HOME: folder, CADRE_CONFIG_DIR: path.join(folder, "config") },
  })
  const found: readonly { code: string; message: string }[] = JSON.parse(stdout).diagnostics
  expect(
    found.flatMap(({ code, message }) =>
      code === "key-without-effect" ? [message.split(":", 2).join(":")] : [],
    ),
  ).toEqual(told)
})

describe("of an agent that is written in code the run tells it", () => {
  test.each<[string, Partial<AgentInput>, readonly string[]]>([
    [
      "nothing where all has an effect",
      { label: "L", color: "red", background: true, permissionMode: "plan" },
      [],
    ],
    [
      "all that has none",
      {
        memory: "project",
        permissionMode: "acceptEdits",
        context: { initialPrompt: "Go." },
      },
      [
        expect.stringMatching(/`memory` has no effect.*keeps.*notes/),
        expect.stringMatching(/^`context\.initialPrompt` has no effect.*task/),
        expect.stringMatching(/^`permissionMode: acceptEdits` has no effect.*chooses/),
      ],
    ],
  ])("%s", async (_, more, warnings) => {
    const { runtime } = world({
      script: { lead: [{ text: "done" }] },
      agents: [{ name: "lead", instructions: "Lead.", ...more }],
    })
    expect((await runtime.run("lead", "go").done).proof.warnings).toEqual(warnings)
  })
})
