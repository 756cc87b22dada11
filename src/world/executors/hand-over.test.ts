import { describe, expect, test } from "vitest"
import { type AgentInput, defineAgent, type Rule } from "../../agent/agent.ts"
import type { ExecutorOptions, ExecutorSettings } from "../../agent/executor.ts"
import type { RuleSet } from "../../run/log/event-rights.ts"
import type { Binding } from "../../run/ports/planner.ts"
import { ruleSetsOf } from "../../run/rights/rule-sets.ts"
import type { Denial } from "./bounds.ts"
import { handOver } from "./hand-over.ts"

const everything: ExecutorOptions = {
  tools: ["--tools", "{}"],
  noTools: ["--none"],
  disallowedTools: ["--not", "{}"],
  uses: ["--only", "{}"],
  disallowedUses: ["--never", "{}"],
}

interface Case {
  readonly agent?: Partial<AgentInput>
  /** Of an agent above it. */
  readonly lead?: Partial<AgentInput>
  /** Of the configuration. */
  readonly rules?: readonly Rule[]
  readonly otherwise?: RuleSet["otherwise"]
  readonly binding?: Partial<Binding>
  readonly settings?: Partial<ExecutorSettings>
}

const agentOf = (name: string, given: Partial<AgentInput>) =>
  defineAgent({ name, instructions: "x", executor: "bot", ...given })

function handed({ agent = {}, lead, rules = [], otherwise = "allow", binding = {}, settings = {} }: Case) {
  const sets = (name: string, given: Partial<AgentInput>) =>
    ruleSetsOf(agentOf(name, given), new Map(), "/no/work", "narrow")
  const rights = [
    ...sets("it", agent),
    ...(lead ? sets("lead", lead) : []),
    { of: "the configuration", rules, otherwise },
  ]
  return handOver({ command: ["bot"], options: everything, ...settings }, agentOf("it", agent), {
    rights,
    ...binding,
  })
}

const deny = (tool: string): Rule => ({ tool, decision: "deny" })
const ask = (tool: string): Rule => ({ tool, decision: "ask" })
const allow = (tool: string): Rule => ({ tool, decision: "allow" })
/** Every name that a program may have for it. */
const allOf = (...names: readonly string[]) => expect.arrayContaining([...names])

describe("a program is told", () => {
  test.each<[string, Case, object, readonly string[]]>([
    ["nothing where nothing binds it", {}, {}, []],
    ["its list", { agent: { tools: ["Read", "Grep"] } }, { tools: ["Read", "Grep"] }, []],
    ["an empty list as none, which is not nothing", { agent: { tools: [] } }, { tools: [] }, []],
    [
      "a list in the words of another host as it is written",
      { agent: { tools: ["run_shell_command"] } },
      { tools: ["run_shell_command"] },
      [],
    ],
    [
      "what is taken away, by every name",
      { agent: { disallowedTools: ["Bash"] } },
      { disallowedTools: allOf("Bash", "shell", "run_shell_command", "Monitor", "PowerShell") },
      [],
    ],
    [
      "its list without what itself takes away",
      { agent: { tools: ["Read", "Bash"], disallowedTools: ["Bash"] } },
      { tools: ["Read"] },
      ['agent "it" denies Bash'],
    ],
    [
      "its list without what somebody above denies, by whatever name",
      { agent: { tools: ["Read", "run_shell_command", "Monitor"] }, lead: { rules: [deny("Bash")] } },
      { tools: ["Read"] },
      ['agent "lead" denies run_shell_command', 'agent "lead" denies Monitor'],
    ],
    [
      "its list without what a pattern denies",
      { agent: { tools: ["Read", "mcp__a__b"] }, rules: [deny("mcp__*")] },
      { tools: ["Read"] },
      ["the configuration denies mcp__a__b"],
    ],
    [
      "its list without what a rule asks about: nobody can be asked there",
      { agent: { tools: ["Read", "Bash"] }, rules: [ask("Bash")] },
      { tools: ["Read"] },
      ["the configuration asks about Bash"],
    ],
    [
      "its list without what is not under the ceiling",
      { agent: { tools: ["Read", "Bash", "Skill"] }, binding: { ceiling: ["Read", "Skill"] } },
      { tools: ["Read", "Skill"] },
      ["whoever calls it has no Bash"],
    ],
    [
      "what its caller has, where it has no list",
      { binding: { ceiling: ["Read", "Edit"] }, rules: [deny("Edit")] },
      { tools: ["Read"] },
      [],
    ],
    ["none, where its caller has none and it has no list", { binding: { ceiling: [] } }, { tools: [] }, []],
    [
      "what a configuration allows that denies the rest",
      { rules: [allow("Read"), allow("Grep"), allow("Executor")], otherwise: "deny" },
      { tools: ["Read", "Grep"] },
      [],
    ],
    [
      "its list as far as such a configuration allows it",
      { agent: { tools: ["Read", "Bash"] }, rules: [allow("Read"), allow("Executor")], otherwise: "deny" },
      { tools: ["Read"] },
      ["the configuration denies Bash"],
    ],
    [
      "none, where all of its list is denied: whoever starts it refuses that",
      { agent: { tools: ["Bash"] }, rules: [deny("Bash")] },
      { tools: [] },
      ["the configuration denies Bash"],
    ],
    [
      "uses that its list is about",
      { agent: { tools: ["Read", "Bash(git:*)"] } },
      { tools: ["Read", "Bash"], uses: ["Bash(git:*)"] },
      [],
    ],
    [
      "uses that somebody denies",
      { lead: { disallowedTools: ["Bash(rm:*)"] }, rules: [ask("WebFetch(a.com)")] },
      { disallowedUses: ["Bash(rm:*)", "WebFetch(a.com)"] },
      [],
    ],
    [
      "nothing of uses that it has no tool for",
      {
        agent: { tools: ["Read", "Edit"] },
        rules: [deny("Bash(rm:*)"), deny("WebFetch(a.com)"), deny("Agent(x)")],
      },
      { tools: ["Read", "Edit"] },
      [],
    ],
    [
      "nothing of paths, which the sandbox keeps it from",
      { agent: { tools: ["Bash"] }, rules: [deny("Read(.env)"), deny("Edit(src/**)")] },
      { tools: ["Bash"] },
      [],
    ],
    [
      "nothing of paths that it has no tool for, in the sandbox or not",
      {
        agent: { tools: ["Read"] },
        rules: [deny("Edit(src/**)"), ask("Write(x)")],
        settings: { sandbox: "off" },
      },
      { tools: ["Read"] },
      [],
    ],
    [
      "nothing of what asks or denies the program itself, nor of runs here",
      { rules: [ask("Executor"), ask("*"), deny("Executor(other)"), deny("AgentSend")] },
      {},
      [],
    ],
    ["nothing of what a mode asks about: the yes to the program answers it", { otherwise: "ask" }, {}, []],
    [
      "nothing where it is not run at all",
      { agent: { permissionMode: "plan", tools: ["Bash(x)"] }, settings: { options: {} } },
      {},
      [],
    ],
  ])("%s", (_, given, expected, without) => {
    const said = { deny: "denies", ask: "asks about", lack: "has no" }
    const result = handed(given)
    expect("taken" in result && { ...result, taken: result.taken.map(textOf) }).toEqual({
      handed: expected,
      taken: without,
    })

    function textOf({ of, decision, what }: Denial): string {
      return `${of} ${said[decision]} ${what}`
    }
  })
})

describe("an agent does not start whose program cannot be told", () => {
  const without = (...names: readonly (keyof ExecutorOptions)[]) => ({
    options: Object.fromEntries(
      Object.entries(everything).filter(([name]) => !names.includes(name as keyof ExecutorOptions)),
    ),
  })
  test.each<[string, Case, RegExp]>([
    [
      "its list",
      { agent: { tools: ["Read"] }, settings: without("tools") },
      /cannot be told that it may use nothing but Read, as its `tools` say\. Give the executor words that limit it to a list/,
    ],
    [
      "that it has no tools",
      { agent: { tools: [] }, settings: without("noTools") },
      /cannot be told that it may use no tools, as its `tools` say\. .*`options: \{noTools: /,
    ],
    [
      "what its caller has",
      { binding: { ceiling: ["Read"] }, settings: without("tools") },
      /cannot be told that it may use nothing but Read, as whoever calls it\./,
    ],
    [
      "that its caller has nothing",
      { binding: { ceiling: [] }, settings: without("noTools") },
      /cannot be told that it may use no tools, as whoever calls it\./,
    ],
    [
      "what is denied",
      {
        agent: { disallowedTools: ["Bash"] },
        lead: { rules: [deny("Edit")] },
        settings: without("disallowedTools"),
      },
      /cannot be told that agent "it" denies Bash; nor that agent "lead" denies Edit\./,
    ],
    [
      "what is asked about",
      { rules: [ask("Bash")], settings: without("disallowedTools") },
      /cannot be told that the configuration asks about Bash\./,
    ],
    [
      "what a pattern denies",
      { rules: [deny("mcp__*")] },
      /cannot be told that the configuration denies mcp__\*\. Name each tool by itself/,
    ],
    [
      "uses of its own list",
      { agent: { tools: ["Bash(git:*)", "Bash(npm test)"] }, settings: without("uses") },
      /cannot be told that of Bash it may make no use but Bash\(git:\*\), Bash\(npm test\), by the tools of agent "it"\. Leave the tool out/,
    ],
    [
      "uses of two lists that hold both",
      { agent: { tools: ["Bash(git:*)"] }, lead: { tools: ["Bash(npm:*)"] } },
      /of Bash it may make no use but Bash\(git:\*\), by the tools of agent "it"/,
    ],
    [
      "uses by path",
      { agent: { tools: ["Edit(src/**)"] } },
      /of Edit it may make no use but Edit\(\/no\/work\/src\/\*\*\)/,
    ],
    [
      "uses that are denied",
      { lead: { disallowedTools: ["Bash(rm:*)"] }, settings: without("disallowedUses") },
      /cannot be told that agent "lead" denies Bash\(rm:\*\)\. Leave the tool out of its `tools`/,
    ],
    [
      "uses that are denied, of tools that nobody knows",
      {
        agent: { tools: ["mcp__shell__run"] },
        rules: [deny("Bash(rm:*)")],
        settings: without("disallowedUses"),
      },
      /the configuration denies Bash\(rm:\*\)/,
    ],
    [
      "paths without the sandbox",
      { rules: [deny("Read(.env)")], settings: { sandbox: "off" } },
      /the configuration denies Read\(\.env\)\. Let the executor run in the sandbox/,
    ],
    [
      "paths where commands have no sandbox",
      { rules: [deny("Read(.env)")], binding: { confinement: { sandbox: "off", network: "full" } } },
      /Let the executor run in the sandbox/,
    ],
    [
      "paths that are asked about",
      { agent: { tools: ["Read"] }, rules: [ask("Read(.env)")] },
      /asks about Read\(\.env\)\. Deny it, and the sandbox keeps the program from it/,
    ],
    ...["default", "ALL", "*", "Read,Bash", "Read Bash", "-x", "Read\nBash"].map(
      (name): [string, Case, RegExp] => [
        `a name that could mean others: ${JSON.stringify(name)}`,
        { agent: { tools: ["Edit", name] } },
        /Name each tool by itself: the program could take /,
      ],
    ),
    ...["Bash(a, b)", 'Bash(echo "x")', "Bash(a) Edit", "Bash(x\ny)"].map((use): [string, Case, RegExp] => [
      `a use that could be read as others: ${JSON.stringify(use)}`,
      { rules: [deny(use)] },
      /cannot be told that the configuration denies /,
    ]),
  ])("%s", (_, given, problem) => {
    expect(handed(given)).toEqual({ problem: expect.stringMatching(problem) })
  })
})
