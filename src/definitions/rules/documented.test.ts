import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import ts from "typescript"
import { afterAll, describe, expect, test } from "vitest"
import { findStartFindings } from "../../faces/cli/check/starts.ts"
import type { Diagnostic } from "../../ground/diagnostics/diagnostic.ts"
import { readConfiguration } from "../configuration/configuration.ts"
import type { Format } from "../formats/format.ts"
import { formats } from "../formats/index.ts"
import { readAgent } from "../formats/read-agent.ts"
import { subagentSpec } from "../formats/subagent-spec.ts"
import { checkAllHooks } from "../gates/check-hooks.ts"
import { findHookFiles, isHookPath } from "../registry/hook-files.ts"
import { SubagentRegistry } from "../registry/registry.ts"
import { openWorkspace } from "../registry/workspace.ts"
import { checkAgents } from "./check.ts"
import { checkingRules } from "./checking.ts"
import { rules } from "./index.ts"
import type { CheckedAgent, RuleFacts } from "./rule.ts"

const src = path.resolve(import.meta.dirname, "../..")
/** Folders that report something themselves. */
const reporting = [
  ...["formats", "registry", "lifecycle", "gates", "servers", "authority"].map(
    (name) => `definitions/${name}`,
  ),
  "agent",
  "faces/cli/check",
]
/** Folders that say what keeps an agent from starting, each with the rule that explains it. */
const refusing = [
  "run",
  "definitions/context",
  "world/models",
  "world/executors",
  "world/mcp",
  "definitions/workflow",
  "definitions/lifecycle",
]
const reportedCodes = [
  ...reporting.flatMap((folder) => codesIn(folder, "code")),
  ...refusing.flatMap((folder) => codesIn(folder, "rule")),
  "start-refused",
]

describe("codes", () => {
  test("every code that the reader or the registry can report has a rule", () => {
    const known = new Set(rules.map(({ code }) => code))
    const reported = reportedCodes.filter((code) => /^[a-z]/.test(code))
    expect(reported).toEqual(expect.arrayContaining(["yaml-invalid", "mode-refused"]))
    expect(
      [...new Set(reported)].filter((code) => !known.has(code)).sort(),
      "Add src/definitions/rules/SUBJECT/CODE.ts and its line in src/definitions/rules/index.ts.",
    ).toEqual([])
  })

  test("every rule that only documents a finding documents one that is reported", () => {
    const reported = new Set([...reportedCodes, "rule-failed"])
    expect(
      rules
        .filter((rule) => !checkingRules.includes(rule))
        .map(({ code }) => code)
        .filter((code) => !reported.has(code)),
    ).toEqual([])
  })

  test("rules are listed by code, each in a file that is called like it", () => {
    const codes = rules.map(({ code }) => code)
    expect(codes).toEqual([...new Set(codes)].sort())
    const files = fs
      .readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" })
      .map((file) => path.basename(file))
    expect(codes.filter((code) => !files.includes(`${code}.ts`))).toEqual([])
  })

  test("the rules that look at agents are listed as such, and no others", () => {
    const checked = rules.filter((rule) => rule.check || rule.checkAll)
    expect(
      checkingRules.map(({ code }) => code),
      "A rule with a check has its line in src/definitions/rules/checking.ts, one without in src/definitions/rules/index.ts.",
    ).toEqual(checked.map(({ code }) => code))
  })

  test("every rule says what, why and what to do, in whole sentences", () => {
    const incomplete = rules.filter(
      ({ title, why, fix }) =>
        /[.\n]$/.test(title) || !/^[A-Z`0].*[.]$/.test(why) || !/^[A-Z`].*[.]$/.test(fix),
    )
    expect(incomplete.map(({ code }) => code)).toEqual([])
  })
})

describe("examples", () => {
  const reproducible = rules.flatMap(({ code, severity, example }) =>
    "file" in example ? [{ code, severity, example }] : [],
  )

  test.each(reproducible)(
    "$code: its example shows it and nothing else",
    async ({ code, severity, example }) => {
      const [first, ...others] = await findings([example, ...(example.beside ?? [])])
      // If agents are alike or call each other, either of them may have the finding.
      const all = [
        ...new Set([first!, ...others].flat().map((problem) => `${problem.severity} ${problem.code}`)),
      ]
      expect(all).toEqual([`${severity} ${code}`])
    },
  )

  test("only what no text can show has no example", () => {
    const without = rules.flatMap(({ code, example }) => ("unreproducible" in example ? [code] : []))
    expect(without).toEqual([
      "configuration-denied",
      "file-ignored",
      "file-special",
      "file-too-large",
      "file-unreadable",
      "folder-too-large",
      "folder-unreadable",
      "format-later",
      "hook-variable-locked",
      "link-outside",
      "mcp-server-approval",
      "mcp-server-shadowed",
      "model-denied",
      "name-collision",
      "name-shadowed",
      "name-variant",
      "pipeline-foreign",
      "plugin-key",
      "prompt-too-long",
      "rule-failed",
      "scope-shadows-rights",
      "settings-foreign",
      "start-refused",
      "subagents-disabled",
      "text-not-utf8",
      "tool-mcp-idle",
      "tool-mcp-unknown",
    ])
  })
})

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-rules-"))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

/** The findings of the reader and the rules in files of one folder. Some definitions need others beside them. */
async function findings(
  files: readonly { readonly file: string; readonly format?: string; readonly text: string }[],
) {
  const place = fs.mkdtempSync(path.join(folder, "example-"))
  for (const { file, text } of files) {
    fs.mkdirSync(path.dirname(path.join(place, file)), { recursive: true })
    fs.writeFileSync(path.join(place, file), text)
  }
  const definitions = files.filter(
    ({ file }, index) => /\.(?:md|ya?ml|json)$/.test(file) && (index === 0 || !isHookPath(`/${file}`)),
  )
  const readings = definitions.map(({ file, format: id, text }) => {
    if (isHookPath(`/${file}`))
      return { format: undefined, text, agent: undefined, problems: [], locate: () => undefined }
    const format = formatOf(file, id)
    return { format, text, ...readAgent(format, { path: path.join(place, file), text }) }
  })
  const checked = readings.flatMap(({ agent, format, text, locate }): CheckedAgent[] =>
    agent ? [{ agent, format, source: { text, locate } }] : [],
  )
  const surroundings: RuleFacts = {
    tools: new Set(),
    lockedVariables: ["release_allowed"],
    agents: new Map(checked.map(({ agent }) => [agent.name, agent])),
  }
  const found = checkAgents(checked, surroundings)
  const hooked = hookFindings(place)
  // Problems of a file of hooks are already among the findings of hooks.
  const refused = (await refusals(place)).filter(({ file }) => !hooked.some((other) => other.file === file))
  const elsewhere = [...hooked, ...refused]
  return readings.map(({ agent, problems }, index) => [
    ...problems,
    ...(agent ? found[checked.findIndex((one) => one.agent === agent)]! : []),
    ...elsewhere.filter(({ file = "?" }) => path.join(place, definitions[index]!.file).startsWith(file)),
  ])
}

/** The findings in hooks, which may be in files that define no agent. */
function hookFindings(place: string): readonly Diagnostic[] {
  const { configuration } = readConfiguration({ cwd: place, home: place, environment: {} })
  const registry = new SubagentRegistry()
  registry.loadFromPath(place)
  const files = findHookFiles({
    levels: [place],
    userFolder: path.join(place, "none"),
    home: path.join(place, "none"),
  })
  return checkAllHooks({ skills: new Map(), configuration }, registry, files).diagnostics
}

/** The reasons for which runs of the agents would be refused. There is an executor, a skill and a workflow. */
async function refusals(place: string): Promise<readonly Diagnostic[]> {
  const files = {
    ".git/HEAD": "ref: refs/heads/main\n",
    "own/config.yaml": "model: ollama:qwen3\nexecutors: { claude: { command: claude } }\n",
    "own/skills/commit-messages/SKILL.md": "Write them well.\n",
    "own/workflows/development.yaml": "steps: [{ name: work }]\n",
  }
  for (const [file, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(place, file)), { recursive: true })
    fs.writeFileSync(path.join(place, file), text)
  }
  const environment = {
    HOME: path.join(place, "home"),
    CADRE_CONFIG_DIR: path.join(place, "own"),
    CADRE_STATE_DIR: path.join(place, "state"),
  }
  const workspace = openWorkspace({ cwd: place, home: environment.HOME, environment })
  return findStartFindings({ directory: place, environment }, workspace, () => true)
}

function formatOf(file: string, id: string | undefined): Format {
  // A format without a folder of its own is not found by looking at files, only where it is named.
  const format = [...formats, subagentSpec].find((one) =>
    id === undefined ? one.locations.project.some((folder) => file.startsWith(`${folder}/`)) : one.id === id,
  )
  if (!format) throw new Error(`No format has files such as ${file}.`)
  return format
}

/**
 * The codes that the sources of a folder report: values of properties called `code`, and arguments of functions whose
 * parameter is called so.
 */
function codesIn(folder: string, property: "code" | "rule"): readonly string[] {
  const sources = fs
    .readdirSync(path.join(src, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .map((file) => {
      const text = fs.readFileSync(path.join(src, folder, file), "utf8")
      return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
    })
  return sources.flatMap((source) => {
    const positions = new Map<string, number>()
    visit(source, (node) => {
      if (!ts.isFunctionLike(node)) return
      const at = node.parameters.findIndex(({ name }) => name.getText() === "code")
      const name = node.name ?? (ts.isVariableDeclaration(node.parent) ? node.parent.name : undefined)
      if (at >= 0 && name) positions.set(name.getText(), at)
    })
    const codes: string[] = []
    visit(source, (node) => {
      if (ts.isPropertyAssignment(node) && node.name.getText() === property)
        codes.push(...texts(node.initializer))
      if (!ts.isCallExpression(node) || property === "rule") return
      const argument = node.arguments[positions.get(node.expression.getText()) ?? -1]
      if (argument) codes.push(...texts(argument))
    })
    return codes
  })
}

/** The texts that an expression can be. */
function texts(node: ts.Expression): readonly string[] {
  if (ts.isStringLiteral(node)) return [node.text]
  return ts.isConditionalExpression(node) ? [...texts(node.whenTrue), ...texts(node.whenFalse)] : []
}

function visit(node: ts.Node, look: (node: ts.Node) => void): void {
  look(node)
  ts.forEachChild(node, (child) => visit(child, look))
}
